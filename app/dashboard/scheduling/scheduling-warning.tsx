import { Button } from "../../ui/button.tsx";

/** Asks once for confirmation before a time outside office hours or on a closed day is booked. */
export type HoursWarning = { text: string; start: string };

export function SchedulingWarning({ warning, confirmText }: { warning: HoursWarning; confirmText: string }) {
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
