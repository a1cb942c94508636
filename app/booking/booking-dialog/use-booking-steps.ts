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

export type BookingSteps = ReturnType<typeof useBookingSteps>;

/**
 * Which group of the schedule dialog is shown. Without scripts all are. An error shows the group that holds its field; a
 * service that is chosen already (`hasService`) shows the one where a time is chosen.
 */
export function useBookingSteps(
  formRef: RefObject<HTMLFormElement | null>,
  errors: Record<string, string[]>,
  hasService: boolean,
) {
  const isStepped = useHydrated();
  const [current, setCurrent] = useState(() => firstStepWithError(errors) ?? (hasService ? TIME_STEP : 1));
  const [missing, setMissing] = useState<Missing>(null);
  /** The check of a typed time that is under way; null once what it was for has changed. */
  const check = useRef<object | null>(null);
  const [isChecking, setChecking] = useState(false);
  const [shownErrors, setShownErrors] = useState(errors);
  if (shownErrors !== errors) {
    setShownErrors(errors);
    setCurrent(firstStepWithError(errors) ?? 1);
    setMissing(null);
  }
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

  function show(step: number) {
    endCheck();
    flushSync(() => {
      setMissing(null);
      setCurrent(step);
    });
    formRef.current?.closest("dialog")?.scrollTo(0, 0);
    document.getElementById(`booking-step-${step}`)?.focus({ preventScroll: true });
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
    else show(current + 1);
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
    if (group) flushSync(() => setCurrent(Number(group.dataset["bookingStep"])));
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
  return { isStepped, current, missing, isChecking, show, showNext, onChange, onSubmit, onSummaryClick, onKeyDown };
}

/** Few type a time, so what asks the server is loaded then. */
async function checkTypedTime(fields: FormData): Promise<string | null> {
  const loaded = await import("./typed-time-problem.ts").catch(() => null);
  return loaded ? loaded.fetchTypedTimeProblem(fields) : AVAILABILITY_UNKNOWN;
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
