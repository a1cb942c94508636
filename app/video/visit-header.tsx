import type { ReactNode } from "react";
import { VisitTime } from "../booking/visit-time.tsx";
import type { CallInfo } from "./call/call-state.ts";

type VisitHeaderProps = {
  callInfo: Pick<CallInfo, "startsAt" | "endsAt" | "title" | "otherParticipantName">;
  className?: string;
  children?: ReactNode;
};

/** Shows when the visit is and with whom. */
export function VisitHeader({ callInfo, className = "", children }: VisitHeaderProps) {
  return (
    <div className={`${className} visit-head`.trim()}>
      <div>
        <VisitTime start={callInfo.startsAt} end={callInfo.endsAt} />
        <p className="text-muted wrap-anywhere">
          {callInfo.title} with {callInfo.otherParticipantName}
        </p>
      </div>
      {children}
    </div>
  );
}
