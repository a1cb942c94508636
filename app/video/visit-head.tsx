import { VisitTime } from "../booking/visit-time.tsx";
import { ConsultantLine } from "../practice/consultant.tsx";
import type { CallInfo } from "./call/call-state.ts";

type VisitHeadProps = {
  facts: Pick<CallInfo, "startsAt" | "endsAt" | "title" | "otherName" | "role">;
  className?: string;
};

/** When the visit is and with whom; a family also sees who the consultant is. */
export function VisitHead({ facts, className = "" }: VisitHeadProps) {
  return (
    <div className={`${className} visit-head`.trim()}>
      <div>
        <VisitTime start={facts.startsAt} end={facts.endsAt} />
        <p className="text-muted wrap-anywhere">
          {facts.title} with {facts.otherName}
        </p>
      </div>
      {facts.role === "client" && <ConsultantLine />}
    </div>
  );
}
