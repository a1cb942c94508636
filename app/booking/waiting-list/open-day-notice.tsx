import { useEffect, useRef } from "react";
import { LinkButton } from "../../ui/button.tsx";

/** A day for which nobody has to wait, and where its times are. */
export type OpenDay = { dayName: string; path: string };

/** Tells a family that wants to wait for a day that it has open times. Receives the focus, as an error would. */
export function OpenDayNotice({ openDay }: { openDay: OpenDay }) {
  const noticeRef = useRef<HTMLDivElement>(null);
  useEffect(() => noticeRef.current?.focus(), [openDay]);
  return (
    <div ref={noticeRef} role="status" tabIndex={-1} className="notice grid gap-3">
      <p>
        <strong>Good news: {openDay.dayName} has open times.</strong> You don&apos;t have to wait for it.
      </p>
      <LinkButton to={openDay.path} className="justify-self-start">
        See its open times
      </LinkButton>
    </div>
  );
}
