import { appointmentDetailsPath } from "../booking/paths.ts";
import { phoneLink } from "../practice/site-links.ts";
import { useSite } from "../practice/site.ts";
import type { CallInfo } from "./call/call-state.ts";

/** How to talk by phone instead: a family gets the practice's number, the consultant a link to the family's. */
export function PhoneFallback({ facts: { role, id }, when }: { facts: Pick<CallInfo, "role" | "id">; when: string }) {
  const { phone } = useSite().practice;
  return role === "client" ? (
    <p>
      {when} call <a href={phoneLink(phone)}>{phone}</a>.
    </p>
  ) : (
    <p>
      {when} phone the family: their number is in <a href={appointmentDetailsPath(id)}>this visit's details</a>.
    </p>
  );
}
