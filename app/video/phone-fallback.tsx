import { appointmentDetailsPath } from "../booking/paths.ts";
import { phoneLink } from "../practice/site-links.ts";
import { useSite } from "../practice/site.ts";
import type { CallFacts } from "./call-state.ts";

/** The way by phone: a family calls the practice; the consultant finds the family's number with the appointment. */
export function PhoneFallback({ facts: { role, id }, when }: { facts: Pick<CallFacts, "role" | "id">; when: string }) {
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
