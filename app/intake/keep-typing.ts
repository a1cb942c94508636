import { type FormEvent, useEffect, useRef } from "react";
import { useActionData, useBlocker, useNavigation } from "react-router";

const LOST = "Your last answers could not be saved. Leave anyway?";

/**
 * Saves what was typed when a person leaves a section without its buttons: by Escape, Back, a link, or by putting the
 * phone away. Nobody is asked unless saving fails. Goes onto the form of one section.
 */
export function useKeepTyping(address: string) {
  const form = useRef<HTMLFormElement>(null);
  const unsaved = useRef<HTMLFormElement>(null);
  const sent = useRef<HTMLFormElement>(null);
  const answer = useActionData();
  const isIdle = useNavigation().state === "idle";
  const blocker = useBlocker(() => unsaved.current !== null);

  // On a slow phone words are typed before the script is there.
  useEffect(() => {
    if (form.current && hasTyped(form.current)) unsaved.current = form.current;
  }, [address]);

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const leave = (isSaved: boolean) => {
      if (!isSaved && !window.confirm(LOST)) return blocker.reset();
      unsaved.current = null;
      blocker.proceed();
    };
    if (unsaved.current) void keep(unsaved.current, address).then(leave);
  }, [blocker, address]);

  useEffect(() => {
    if (!isIdle) return;
    // No answer came: what was sent is as unsaved as before.
    if (answer === null) unsaved.current ??= sent.current;
    sent.current = null;
  }, [isIdle, answer]);

  useEffect(() => {
    const putAway = () => {
      if (document.visibilityState === "hidden" && unsaved.current) void keep(unsaved.current, address, true);
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
      sent.current = unsaved.current;
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
