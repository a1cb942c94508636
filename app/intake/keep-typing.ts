import { type FormEvent, useEffect, useRef } from "react";
import { useActionData, useBlocker, useNavigate, useNavigation } from "react-router";

const LOST = "Your last answers could not be saved. Leave anyway?";

/**
 * Saves what was typed when a person leaves a section without its buttons: by Escape, Back, a link, or by putting the
 * phone away, also while a button's own saving is under way, which leaving would break off. Nobody is asked unless
 * saving fails. Goes onto the form of one section.
 */
export function useKeepTyping(address: string) {
  const form = useRef<HTMLFormElement>(null);
  const unsaved = useRef<HTMLFormElement>(null);
  const sent = useRef<HTMLFormElement>(null);
  const underWay = useRef<HTMLFormElement>(null);
  const answer = useActionData();
  const isIdle = useNavigation().state === "idle";
  const navigate = useNavigate();
  const blocker = useBlocker(() => (unsaved.current ?? underWay.current) !== null);

  // On a slow phone words are typed before the script is there.
  useEffect(() => {
    if (form.current && hasTyped(form.current)) unsaved.current = form.current;
  }, [address]);

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const { location, proceed, reset } = blocker;
    // What a button sent has been answered meanwhile: the page went on by itself and has forgotten where to.
    let isOvertaken = false;
    const leave = (isSaved: boolean) => {
      if (isOvertaken) {
        if (isSaved) void navigate(location);
        return;
      }
      if (!isSaved && !window.confirm(LOST)) return reset();
      unsaved.current = null;
      proceed();
    };
    const form = unsaved.current ?? underWay.current;
    if (form) void keep(form, address).then(leave);
    return () => {
      isOvertaken = true;
    };
  }, [blocker, address, navigate]);

  useEffect(() => {
    underWay.current = isIdle ? null : sent.current;
    if (!isIdle) return;
    // No answer came: what was sent is as unsaved as before.
    if (answer === null) unsaved.current ??= sent.current;
    sent.current = null;
  }, [isIdle, answer]);

  useEffect(() => {
    const putAway = () => {
      const form = unsaved.current ?? underWay.current;
      if (document.visibilityState === "hidden" && form) void keep(form, address, true);
    };
    document.addEventListener("visibilitychange", putAway);
    return () => document.removeEventListener("visibilitychange", putAway);
  }, [address]);

  return {
    ref: form,
    onInput: (event: FormEvent<HTMLFormElement>) => {
      unsaved.current = event.currentTarget;
    },
    onSubmit: () => {
      sent.current = unsaved.current ?? sent.current;
      unsaved.current = null;
    },
  };
}

function hasTyped(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].some(
    (field) => field.value !== field.defaultValue || ("checked" in field && field.checked !== field.defaultChecked),
  );
}

/** The answer is a page that nobody reads. `keepalive` outlives the page that sends it, but carries 64 kB at most. */
async function keep(form: HTMLFormElement, address: string, keepalive = false): Promise<boolean> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  body.set("intent", "keep");
  return fetch(address, { method: "POST", body, keepalive }).then(
    (response) => response.ok && !response.redirected,
    () => false,
  );
}
