import { useEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";

/** Warning that asks once for confirmation before booking a time outside office hours or on a closed day. */
export type SchedulingWarningData = { text: string; start: string };

/**
 * Shows the warning and moves the focus to it each time it changes, because the pressed button can be anywhere in the
 * form.
 */
export function SchedulingWarning({ warning, confirmText }: { warning: SchedulingWarningData; confirmText: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [warning]);
  return (
    <div ref={box} role="alert" tabIndex={-1} className="notice space-y-3">
      <p className="font-bold">{warning.text}</p>
      <p>You can choose another time, or keep this one: you decide when you work.</p>
      <Button name="anyway" value={warning.start}>
        {confirmText}
      </Button>
    </div>
  );
}
