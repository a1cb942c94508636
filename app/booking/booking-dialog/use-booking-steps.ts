import {
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { useLocation, useNavigate } from "react-router";
import { AVAILABILITY_UNKNOWN, PAYMENT_METHOD_REQUIRED, START_REQUIRED, TITLE_REQUIRED } from "../rules.ts";
import { useHydrated } from "../../ui/use-hydrated.ts";

export const STEP_COUNT = 3;
/** The group in which the time is chosen. */
export const TIME_STEP = 2;

/** The group that holds each field; what is not listed stands in the last one. */
const STEP_OF_FIELD: Record<string, number> = { title: 1, ownTitle: 1, appointmentDate: 2, slot: 2, date: 2 };

/** A group that was left without what it asks for; with `isTyped`, with a typed time that can't be booked. */
export type Missing = { step: number; text: string; isTyped?: boolean } | null;

/** Where the focus goes in a group that lacks what it asks for. */
const FIRST_CONTROLS: Record<number, string> = {
  1: "input, select",
  2: "fieldset",
  3: "input[name=paymentMethod]",
};
const TYPED_TIME = "input[type=datetime-local]";

/** The state of a history entry that follows the one of the group before it. */
type StepState = { isAfterStep: true };

export type BookingSteps = ReturnType<typeof useBookingSteps>;

type Known = { hasService: boolean; hasTime: boolean };

/**
 * Which group of the schedule dialog is shown. Without scripts all are. An error shows the group that holds its field; a
 * service that is chosen already (`hasService`) shows the one where a time is chosen. Each group is a history entry of its
 * own, named in the fragment, so that the browser's Back goes one group back.
 */
export function useBookingSteps(
  formRef: RefObject<HTMLFormElement | null>,
  errors: Record<string, string[]>,
  { hasService, hasTime }: Known,
) {
  const isStepped = useHydrated();
  const { hash, search, key, state } = useLocation();
  const navigate = useNavigate();
  const [first] = useState({ step: hasService ? TIME_STEP : 1, key });
  const opened = first.step;
  /** The last group for which all is chosen that those before it ask for: an entry of an earlier booking may name another. */
  const [reachable, setReachable] = useState(hasService && hasTime ? STEP_COUNT : opened);
  const inAddress = stepInAddress(hash, reachable);
  /** A group that the history entry `of` shows although its address names another, or none. */
  const [shown, setShown] = useState<{ step: number; of: string }>();
  const [seen, setSeen] = useState({ errors, key, step: opened });
  // The entry of a form that was sent names no group: without an error the same one stays, for instance while offline.
  const unnamed = key === first.key ? opened : seen.step;
  const current = shown?.of === key ? shown.step : (inAddress ?? firstStepWithError(errors) ?? unnamed);
  const [missing, setMissing] = useState<Missing>(null);
  /** The check of a typed time that is under way; null once what it was for has changed. */
  const check = useRef<object | null>(null);
  const [isChecking, setChecking] = useState(false);
  if (seen.errors !== errors || seen.key !== key || seen.step !== current) {
    setSeen({ errors, key, step: current });
    if (seen.errors !== errors || seen.key !== key) setMissing(null);
  }
  const focused = useRef(current);
  useEffect(() => {
    if (focused.current === current) return;
    focused.current = current;
    endCheck();
    // After a refusal the summary of the errors has the focus.
    if (inAddress === null && shown?.of !== key) return;
    formRef.current?.closest("dialog")?.scrollTo(0, 0);
    document.getElementById(`booking-step-${current}`)?.focus({ preventScroll: true });
  }, [formRef, current, inAddress, shown, key]);
  useEffect(() => {
    const group = missing && formRef.current?.querySelector(`[data-booking-step="${missing.step}"]`);
    if (!missing || !group) return;
    const control = group.querySelector<HTMLElement>(
      missing.isTyped ? TYPED_TIME : (FIRST_CONTROLS[missing.step] ?? "input"),
    );
    const folded = control?.closest("details");
    if (folded) folded.open = true;
    control?.focus({ preventScroll: true });
    control?.closest(".field")?.querySelector(".field-error")?.scrollIntoView({ block: "center" });
  }, [formRef, missing]);

  function showHere(step: number) {
    flushSync(() => setShown({ step, of: key }));
  }
  function goTo(step: number, options: { replace: boolean; state: unknown }) {
    const to = { search, hash: `#step-${step}` };
    void navigate(to, { ...options, preventScrollReset: true, flushSync: true });
  }
  function showPrevious() {
    const isEntryBefore = inAddress === current && (state as StepState | null)?.isAfterStep;
    showHere(current - 1);
    if (isEntryBefore) void navigate(-1);
    else goTo(current - 1, { replace: true, state: null });
  }
  async function showNext() {
    if (check.current || showMissing()) return;
    const fields = new FormData(formRef.current ?? undefined);
    const isTyped = current === TIME_STEP && !fields.get("slot");
    const started = {};
    check.current = started;
    setChecking(isTyped);
    const text = isTyped ? await checkTypedTime(fields) : null;
    if (check.current !== started) return;
    endCheck();
    if (text) setMissing({ step: current, text, isTyped });
    else showFollowing();
  }
  function showFollowing() {
    setReachable(current + 1);
    if (inAddress !== current) goTo(current, { replace: true, state: null });
    goTo(current + 1, { replace: false, state: { isAfterStep: true } satisfies StepState });
  }
  function endCheck() {
    check.current = null;
    setChecking(false);
  }
  /** Whether the shown group lacks what it asks for, which it then says. */
  function showMissing(): boolean {
    const text = missingText(formRef.current, current);
    if (text) setMissing({ step: current, text });
    return text !== null;
  }
  function onChange() {
    endCheck();
    if (missing && (missing.isTyped || !missingText(formRef.current, missing.step))) setMissing(null);
  }
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    // A named button asks for other times.
    if (submitter instanceof HTMLButtonElement && submitter.name) return;
    if (isStepped && current === STEP_COUNT && showMissing()) event.preventDefault();
  }
  /** A link of the error summary leads into a group that may not be shown. */
  function onSummaryClick({ target }: MouseEvent<HTMLElement>) {
    const link = target instanceof Element ? target.closest("a") : null;
    const group = link && document.getElementById(link.hash.slice(1))?.closest<HTMLElement>("[data-booking-step]");
    if (group) showHere(Number(group.dataset["bookingStep"]));
  }
  /** Enter goes on to the next group, and sends the form from the last one alone. */
  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key !== "Enter" || !isField) return;
    event.preventDefault();
    if (current < STEP_COUNT) void showNext();
    else
      formRef.current?.requestSubmit(formRef.current.querySelector<HTMLElement>("button.button-primary[type=submit]"));
  }
  return {
    isStepped,
    current,
    missing,
    isChecking,
    showPrevious,
    showNext,
    onChange,
    onSubmit,
    onSummaryClick,
    onKeyDown,
  };
}

/** Few type a time, so what asks the server is loaded then. */
async function checkTypedTime(fields: FormData): Promise<string | null> {
  const loaded = await import("./typed-time-problem.ts").catch(() => null);
  return loaded ? loaded.fetchTypedTimeProblem(fields) : AVAILABILITY_UNKNOWN;
}

/** The group that the fragment names; at most `reachable`. */
function stepInAddress(hash: string, reachable: number): number | null {
  const [, step] = /^#step-([1-3])$/.exec(hash) ?? [];
  return step === undefined ? null : Math.min(Number(step), reachable);
}

function firstStepWithError(errors: Record<string, string[]>): number | null {
  const steps = Object.keys(errors).map((name) => STEP_OF_FIELD[name] ?? STEP_COUNT);
  return steps.length > 0 ? Math.min(...steps) : null;
}

function missingText(form: HTMLFormElement | null, step: number): string | null {
  if (!form) return null;
  const fields = new FormData(form);
  if (step === 1) return fields.get("title") || fields.get("ownTitle") ? null : TITLE_REQUIRED;
  if (step === 2) return fields.get("slot") || fields.get("appointmentDate") ? null : START_REQUIRED;
  return fields.get("paymentMethod") ? null : PAYMENT_METHOD_REQUIRED;
}
