import { Button } from "../ui/button.tsx";

/** Said once before a time outside office hours or on a closed day is taken all the same. */
export type HoursWarning = { text: string; start: string };

export function OutsideHoursWarning({ warning, confirmText }: { warning: HoursWarning; confirmText: string }) {
  return (
    <div role="alert" className="notice space-y-3">
      <p className="font-bold">{warning.text}</p>
      <p>You can choose another time, or keep this one: you decide when you work.</p>
      <Button name="anyway" value={warning.start}>
        {confirmText}
      </Button>
    </div>
  );
}

/** A form's first button is what the Enter key presses: never the one that overrules a warning. */
export function DefaultSubmitButton() {
  return <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />;
}
