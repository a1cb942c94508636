import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { NOTE_PRIVACY_HINT } from "../../booking/notes/note-privacy.ts";
import { Button } from "../../ui/button.tsx";
import { consultantPanelPath } from "./intake-panel.tsx";

const NOT_SAVED_MESSAGE = "The note is not saved: the server can't be reached. Your text is still here. Try again.";

type SaveNoteResult = { isError: boolean; text: string } | null;

/**
 * Shows the form for the consultant's private note about the visit. The note is saved without leaving the call. Unsaved
 * text is saved when the call ends.
 */
export function AppointmentNotePanel({ appointmentId }: { appointmentId: number }) {
  const id = useId();
  const unsavedTextRef = useRef("");
  const field = useRef<HTMLTextAreaElement>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [result, setResult] = useState<SaveNoteResult>(null);

  useEffect(() => {
    const saveUnsavedText = () => {
      const text = unsavedTextRef.current;
      unsavedTextRef.current = "";
      if (text.trim()) void saveAppointmentNote(appointmentId, text, true);
    };
    window.addEventListener("pagehide", saveUnsavedText);
    return () => {
      window.removeEventListener("pagehide", saveUnsavedText);
      saveUnsavedText();
    };
  }, [appointmentId]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving || !field.current) return;
    const text = field.current.value;
    unsavedTextRef.current = "";
    setIsSaving(true);
    const errorText = await saveAppointmentNote(appointmentId, text);
    setIsSaving(false);
    if (errorText) unsavedTextRef.current = text;
    else if (field.current) field.current.value = "";
    setResult(errorText ? { isError: true, text: errorText } : { isError: false, text: "The note is saved." });
  };
  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      <div>
        <label className="label" htmlFor={id}>
          Private note about this visit
        </label>
        <p id={`${id}-hint`} className="hint">
          {NOTE_PRIVACY_HINT} Anything you haven't saved is saved when the call ends.
        </p>
      </div>
      <textarea
        id={id}
        ref={field}
        className="input"
        rows={8}
        readOnly={isSaving}
        aria-describedby={`${id}-hint`}
        aria-invalid={result?.isError || undefined}
        onInput={({ currentTarget }) => {
          unsavedTextRef.current = currentTarget.value;
          setResult(null);
        }}
      />
      <p role="status" className="empty:hidden">
        {isSaving ? "Saving…" : result?.isError ? null : result?.text}
      </p>
      {result?.isError && <p role="alert">{result.text}</p>}
      <Button type="submit" className="justify-self-start">
        Save note
      </Button>
    </form>
  );
}

/**
 * Saves the note. Returns null if it was saved, otherwise the error text. `keepalive` lets the request finish after the
 * page unloads.
 */
async function saveAppointmentNote(appointmentId: number, text: string, keepalive = false): Promise<string | null> {
  try {
    const body = new URLSearchParams({ text });
    const response = await fetch(consultantPanelPath(appointmentId), { method: "POST", body, keepalive });
    if (response.redirected) return "The note is not saved: you are signed out. Sign in again in another tab.";
    if (response.ok) return null;
    return ((await response.json()) as { message: string }).message;
  } catch {
    return NOT_SAVED_MESSAGE;
  }
}
