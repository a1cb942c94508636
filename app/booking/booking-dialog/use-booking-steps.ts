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
import type { NearestTime } from "../availability/nearest-times.server.ts";
import {
  AVAILABILITY_UNKNOWN_MESSAGE,
  PAYMENT_METHOD_REQUIRED_MESSAGE,
  START_REQUIRED_MESSAGE,
  TITLE_REQUIRED_MESSAGE,
} from "../booking-rules.ts";
import { useHydrated } from "../../ui/use-hydrated.ts";

export const STEP_COUNT = 3;
/** Step in which the time is chosen. */
export const TIME_STEP = 2;

/** Step that contains each field. Fields that are not listed are in the last step. */
const STEP_OF_FIELD: Record<string, number> = { title: 1, ownTitle: 1, appointmentDate: 2, slot: 2, date: 2 };

/**
 * Step in which a required choice is missing. `isTyped`: a typed time can't be booked; `nearest`: times near one that
 * was lost.
 */
export type IncompleteStepError = { step: number; text: string; isTyped?: boolean; nearest?: NearestTime[] };

/** Control that receives the focus in a step with a missing choice. */
const FIRST_CONTROL_SELECTORS: Record<number, string> = {
  1: "input, select",
  2: "fieldset",
  3: "input[name=paymentMethod]",
};
const TYPED_TIME_SELECTOR = "input[type=datetime-local]";

/** State of a history entry that directly follows the entry of the previous step. */
type StepState = { isAfterStep: true };

export type BookingSteps = ReturnType<typeof useBookingSteps>;

type StepOptions = {
  hasService: boolean;
  hasTime: boolean;
  /** Whether the last step can be submitted without a payment method, because the intake form comes first. */
  isPaymentOptional: boolean;
};

/**
 * Manages which step of the schedule dialog is shown. Without scripts, all steps are shown. An error shows the step
 * that contains its field. If a service is already chosen (`hasService`), the time step is shown. Each step has its own
 * history entry, named in the fragment, so that the browser's Back button goes back one step.
 */
export function useBookingSteps(
  formRef: RefObject<HTMLFormElement | null>,
  errors: Record<string, string[]>,
  { hasService, hasTime, isPaymentOptional }: StepOptions,
) {
  const isStepped = useHydrated();
  const { hash, search, key, state } = useLocation();
  const navigate = useNavigate();
  const [first] = useState({ step: hasService ? TIME_STEP : 1, key });
  const initialStep = first.step;
  /** Last step whose previous steps are all complete. The history entry of an earlier booking may name a later step. */
  const [maxReachableStep, setMaxReachableStep] = useState(hasService && hasTime ? STEP_COUNT : initialStep);
  const urlStep = parseStepFromHash(hash, maxReachableStep);
  /** Step that the history entry `historyKey` shows although its address names another step, or none. */
  const [stepOverride, setStepOverride] = useState<{ step: number; historyKey: string }>();
  const [previousRender, setPreviousRender] = useState({ errors, key, step: initialStep });
  // The history entry of a submitted form names no step. Without an error, for example while offline, the same step
  // stays visible.
  const fallbackStep = key === first.key ? initialStep : previousRender.step;
  const current =
    stepOverride?.historyKey === key ? stepOverride.step : (urlStep ?? firstStepWithError(errors) ?? fallbackStep);
  const [stepError, setStepError] = useState<IncompleteStepError | null>(null);
  /** The running check of a typed time; null once that time has changed. */
  const pendingCheck = useRef<object | null>(null);
  const [isChecking, setChecking] = useState(false);
  if (previousRender.errors !== errors || previousRender.key !== key || previousRender.step !== current) {
    setPreviousRender({ errors, key, step: current });
    if (previousRender.errors !== errors || previousRender.key !== key) setStepError(null);
  }
  const focusedStepRef = useRef(current);
  useEffect(() => {
    if (focusedStepRef.current === current) return;
    focusedStepRef.current = current;
    cancelCheck();
    // After a refusal, the error summary has the focus.
    if (urlStep === null && stepOverride?.historyKey !== key) return;
    formRef.current?.closest("dialog")?.scrollTo(0, 0);
    document.getElementById(`booking-step-${current}`)?.focus({ preventScroll: true });
  }, [formRef, current, urlStep, stepOverride, key]);
  useEffect(() => {
    const group = stepError && formRef.current?.querySelector(`[data-booking-step="${stepError.step}"]`);
    if (!stepError || !group) return;
    const control = group.querySelector<HTMLElement>(
      stepError.isTyped ? TYPED_TIME_SELECTOR : (FIRST_CONTROL_SELECTORS[stepError.step] ?? "input"),
    );
    const collapsedDetails = control?.closest("details");
    if (collapsedDetails) collapsedDetails.open = true;
    control?.focus({ preventScroll: true });
    control?.closest(".field")?.querySelector(".field-error")?.scrollIntoView({ block: "center" });
  }, [formRef, stepError]);

  function overrideStep(step: number) {
    flushSync(() => setStepOverride({ step, historyKey: key }));
  }
  function goTo(step: number, options: { replace: boolean; state: unknown }) {
    const to = { search, hash: `#step-${step}` };
    void navigate(to, { ...options, preventScrollReset: true, flushSync: true });
  }
  function showPrevious() {
    const isEntryBefore = urlStep === current && (state as StepState | null)?.isAfterStep;
    overrideStep(current - 1);
    if (isEntryBefore) void navigate(-1);
    else goTo(current - 1, { replace: true, state: null });
  }
  async function showNext() {
    if (pendingCheck.current || showMissingChoice()) return;
    const fields = new FormData(formRef.current ?? undefined);
    const isTyped = current === TIME_STEP && !fields.get("slot");
    const checkToken = {};
    pendingCheck.current = checkToken;
    setChecking(isTyped);
    const text = isTyped ? await checkTypedTime(fields) : null;
    if (pendingCheck.current !== checkToken) return;
    cancelCheck();
    if (text) setStepError({ step: current, text, isTyped });
    else advanceStep();
  }
  function advanceStep() {
    setMaxReachableStep(current + 1);
    if (urlStep !== current) goTo(current, { replace: true, state: null });
    goTo(current + 1, { replace: false, state: { isAfterStep: true } satisfies StepState });
  }
  /** Shows the step of the time again, with the reason why the chosen one can't be booked. */
  function showTimeError(text: string, nearest: NearestTime[]) {
    overrideStep(TIME_STEP);
    setStepError({ step: TIME_STEP, text, nearest });
  }
  function cancelCheck() {
    pendingCheck.current = null;
    setChecking(false);
  }
  /** Checks whether a required choice is missing in the current step, and shows the error. */
  function showMissingChoice(): boolean {
    const text = findMissingChoiceError(formRef.current, current);
    if (text) setStepError({ step: current, text });
    return text !== null;
  }
  function onChange() {
    cancelCheck();
    if (stepError && (stepError.isTyped || !findMissingChoiceError(formRef.current, stepError.step)))
      setStepError(null);
  }
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    // Named buttons only request other times.
    if (submitter instanceof HTMLButtonElement && submitter.name) return;
    if (isStepped && current === STEP_COUNT && !isPaymentOptional && showMissingChoice()) event.preventDefault();
  }
  /** Shows the step that a link in the error summary leads to, because it may be hidden. */
  function onSummaryClick({ target }: MouseEvent<HTMLElement>) {
    const link = target instanceof Element ? target.closest("a") : null;
    const group = link && document.getElementById(link.hash.slice(1))?.closest<HTMLElement>("[data-booking-step]");
    if (group) overrideStep(Number(group.dataset["bookingStep"]));
  }
  /** Makes Enter go to the next step. Only in the last step does it submit the form. */
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
    stepError,
    isChecking,
    showPrevious,
    showNext,
    showTimeError,
    onChange,
    onSubmit,
    onSummaryClick,
    onKeyDown,
  };
}

/** Checks a typed time on the server. Loaded on demand, because few families type a time. */
async function checkTypedTime(fields: FormData): Promise<string | null> {
  const loaded = await import("./typed-time-error.ts").catch(() => null);
  return loaded ? loaded.fetchTypedTimeError(fields) : AVAILABILITY_UNKNOWN_MESSAGE;
}

/** Returns the step named in the fragment, limited to `maxReachableStep`. */
function parseStepFromHash(hash: string, maxReachableStep: number): number | null {
  const [, step] = /^#step-([1-3])$/.exec(hash) ?? [];
  return step === undefined ? null : Math.min(Number(step), maxReachableStep);
}

function firstStepWithError(errors: Record<string, string[]>): number | null {
  const steps = Object.keys(errors).map((name) => STEP_OF_FIELD[name] ?? STEP_COUNT);
  return steps.length > 0 ? Math.min(...steps) : null;
}

function findMissingChoiceError(form: HTMLFormElement | null, step: number): string | null {
  if (!form) return null;
  const fields = new FormData(form);
  if (step === 1) return fields.get("title") || fields.get("ownTitle") ? null : TITLE_REQUIRED_MESSAGE;
  if (step === 2) return fields.get("slot") || fields.get("appointmentDate") ? null : START_REQUIRED_MESSAGE;
  return fields.get("paymentMethod") ? null : PAYMENT_METHOD_REQUIRED_MESSAGE;
}
