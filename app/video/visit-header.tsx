import { VisitTime } from "../booking/visit-time.tsx";
import { ConsultantLine } from "../practice/consultant.tsx";
import type { CallInfo } from "./call/call-state.ts";

type VisitHeadProps = {
  callInfo: Pick<CallInfo, "startsAt" | "endsAt" | "title" | "otherParticipantName" | "role">;
  className?: string;
  /** Whether the family can no longer join this visit. */
  isOver?: boolean;
};

/** Shows when the visit is and with whom; a family also sees who the consultant is. */
export function VisitHeader({ callInfo, className = "", isOver = false }: VisitHeadProps) {
  return (
    <div className={`${className} visit-head`.trim()}>
      <div>
        <VisitTime start={callInfo.startsAt} end={callInfo.endsAt} />
        <p className="text-muted wrap-anywhere">
          {callInfo.title} with {callInfo.otherParticipantName}
        </p>
      </div>
      {callInfo.role === "client" && !isOver && <ConsultantLine />}
    </div>
  );
}
