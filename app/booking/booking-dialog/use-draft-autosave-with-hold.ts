import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { ChosenSlotStatus, LostSlot } from "../holds/chosen-slot-status.server.ts";
import { BOOKING_DRAFT_PATH } from "../appointment-paths.ts";
import { STEP_COUNT } from "./use-booking-steps.ts";

/** Delay after the last input. Long enough that a form submitted right away does not also trigger a draft save. */
const SAVE_DELAY_MS = 1_000;

/**
 * Saves the schedule dialog as its draft while it is being filled in: after a pause, on each change of the step
 * (`step`), and when the family leaves it (Close, Back, a link, a reload, or switching to another app). If a save
 * fails, the changes are included in the next one. In the last step the chosen time is held, and each save extends the
 * hold. Returns the current hold, initially `initialHold`; `onSlotLost` is called when somebody else has taken the time.
 */
export function useDraftAutosaveWithHold(
  formRef: RefObject<HTMLFormElement | null>,
  step: number,
  initialHold: ChosenSlotStatus | null,
  onSlotLost: SlotLostHandler,
) {
  const draft = useRef<ReturnType<typeof createDraftAutosave>>(null);
  const [hold, setHold] = useState(initialHold);
  const onStatus = useEffectEvent((status: ChosenSlotStatus | null, isRenewed: boolean) => {
    if (status?.state === "lost") {
      setHold(null);
      onSlotLost(status);
    } else if (!isRenewed || status?.state === "held") setHold(status);
  });
  useEffect(() => {
    const form = formRef.current;
    if (!form) return;
    const autosave = createDraftAutosave(form, (...status) => onStatus(...status));
    draft.current = autosave;
    const abortController = new AbortController();
    form.addEventListener("input", autosave.saveSoon, abortController);
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "hidden" && autosave.save(),
      abortController,
    );
    // Saves before a reload requests the page. Some browsers fire neither this nor `visibilitychange` before unloading.
    window.addEventListener("beforeunload", autosave.save, abortController);
    window.addEventListener("pagehide", autosave.save, abortController);
    return () => {
      abortController.abort();
      autosave.save();
    };
  }, [formRef]);
  useEffect(() => {
    // In the last step the answer to this save shows whether the time that is chosen now is held.
    if (step === STEP_COUNT) setHold(null);
    draft.current?.enterStep(step);
  }, [step]);
  useEffect(() => {
    if (hold?.state !== "held") return;
    const timer = setTimeout(() => setHold({ state: "open", when: hold.when, isHeldOnSave: false }), hold.msLeft);
    return () => clearTimeout(timer);
  }, [hold]);
  return {
    hold,
    onChange: () => draft.current?.saveSoon(),
    onSubmit: () => draft.current?.cancel(),
  };
}

type SlotLostHandler = (slot: LostSlot) => void;

function createDraftAutosave(
  form: HTMLFormElement,
  onStatus: (status: ChosenSlotStatus | null, isRenewed: boolean) => void,
) {
  let isLastStep = false;
  let isChanged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: AbortController | null = null;
  function cancel() {
    isChanged = false;
    clearTimeout(timer);
    inFlight?.abort();
  }
  function save() {
    if (!isChanged) return;
    cancel();
    inFlight = new AbortController();
    void sendDraft(isLastStep ? "renew" : "", inFlight.signal);
  }
  function enterStep(step: number) {
    isLastStep = step === STEP_COUNT;
    if (!isLastStep) return save();
    cancel();
    void sendDraft("chosen");
  }
  async function sendDraft(hold: "chosen" | "renew" | "", signal?: AbortSignal) {
    const body = readForm();
    try {
      // `keepalive` lets the request finish after the page unloads.
      const response = await fetch(`${BOOKING_DRAFT_PATH}?hold=${hold}`, {
        method: "POST",
        body,
        keepalive: true,
        signal,
      });
      if (response.status !== 200) return;
      const status = (await response.json()) as ChosenSlotStatus | null;
      if (isLastStep && chosenTimeKey(readForm()) === chosenTimeKey(body)) onStatus(status, hold === "renew");
    } catch {
      isChanged ||= !signal?.aborted;
    }
  }
  function readForm() {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
    return fields;
  }
  function saveSoon() {
    isChanged = true;
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_DELAY_MS);
  }
  return { cancel, save, saveSoon, enterStep };
}

function chosenTimeKey(fields: URLSearchParams): string {
  return `${fields.get("slot")} ${fields.get("appointmentDate")}`;
}
