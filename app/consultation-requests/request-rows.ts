import { now } from "../clock.ts";
import { DAY_MS } from "../time-units.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { toWallTime } from "../booking/wall-time.ts";
import { createTextShortener } from "../excerpt.ts";
import { composeMailto, toSingleLine } from "./mailto.ts";

type RequestRecord = {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  serviceNeeds: string;
  urgency: string;
  message: string | null;
  userId: number | null;
  createdAt: Date;
  isEntered?: boolean;
  isUndelivered?: boolean;
};
type Practice = { name: string; phone: string; timeZone: string };

export type RequestRow = ReturnType<typeof toRequestRow>;

/** Converts a request to a row of the administrator's lists. `mailtoUrl` is a link that opens a reply. */
export function toRequestRow(request: RequestRecord, practice: Practice) {
  const { id, email, phone, serviceNeeds, message, userId } = request;
  return {
    id,
    name: toSingleLine(`${request.firstName} ${request.lastName}`),
    /** Null if the consultant entered the request with only a phone number. */
    email: email || null,
    phone,
    serviceNeeds,
    message,
    userId,
    badge: urgencyBadge(request.urgency),
    requestedAt: request.createdAt.toISOString(),
    waiting: formatRequestWaitingDays(request.createdAt, practice.timeZone),
    isEntered: request.isEntered ?? false,
    /** Whether the message that confirms the receipt could not be delivered. */
    isUndelivered: request.isUndelivered ?? false,
    mailtoUrl: email ? composeReplyMailtoUrl(request, practice) : null,
  };
}

/** Returns how many days, in the practice's time zone, a request has waited, such as "waiting 17 days". */
function formatRequestWaitingDays(since: Date, timeZone: string): string {
  const startOf = (time: Date) => Date.parse(toWallTime(time, timeZone).day);
  const days = Math.round((startOf(now()) - startOf(since)) / DAY_MS);
  return days <= 0 ? "since today" : `waiting ${formatCountWithNoun(days, "day")}`;
}

/**
 * Shortens the texts of one list's requests, in the list's order, so that they fit on its page. Dialogs show them in
 * full.
 */
export function shortenRequestTexts<R extends Pick<RequestRecord, "serviceNeeds" | "message">>(
  requests: readonly R[],
): R[] {
  const shorten = createTextShortener();
  return requests.map((request) => ({
    ...request,
    serviceNeeds: shorten(request.serviceNeeds),
    message: request.message && shorten(request.message),
  }));
}

/** Returns the badge of an urgency. Unknown values count as routine. */
export function urgencyBadge(urgency: string): { color: "red" | "yellow" | "grey"; label: string } {
  if (urgency === "emergency") return { color: "red", label: "EMERGENCY" };
  if (urgency === "urgent") return { color: "yellow", label: "URGENT" };
  return { color: "grey", label: "ROUTINE" };
}

/**
 * Returns a mailto link for a reply to a request. It quotes nothing from the request, because what a family wrote about
 * its child must not pass through other mail servers.
 */
export function composeReplyMailtoUrl({ email, firstName }: RequestRecord, practice: Practice): string {
  return composeMailto(email, `Your consultation request - ${practice.name}`, [
    `Hello ${toSingleLine(firstName)},`,
    "",
    "Thank you for your consultation request.",
    "",
    "",
    practice.name,
    practice.phone,
  ]);
}

type OwnedRequest = { userId: number | null; appointment: { userId: number | null } | null };

/** Checks whether a request, or the visit that was scheduled from it, belongs to an account. */
export function belongsToAccount({ userId, appointment }: OwnedRequest): boolean {
  return userId !== null || (appointment?.userId ?? null) !== null;
}
