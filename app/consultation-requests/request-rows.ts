import { now } from "../clock.ts";
import { DAY_MS } from "../duration.ts";
import { formatCount } from "../format-count.ts";
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

/** Converts a request to a row of the administrator's lists; `mailtoUrl` is a link that opens a reply. */
export function toRequestRow(request: RequestRecord, practice: Practice) {
  const { id, email, phone, serviceNeeds, message, userId } = request;
  return {
    id,
    name: toSingleLine(`${request.firstName} ${request.lastName}`),
    /** Null where the consultant entered the request with a phone number alone. */
    email: email || null,
    phone,
    serviceNeeds,
    message,
    userId,
    badge: urgencyBadge(request.urgency),
    requestedAt: request.createdAt.toISOString(),
    waiting: waitingText(request.createdAt, practice.timeZone),
    isEntered: request.isEntered ?? false,
    /** The mail that tells of its arrival could not be delivered. */
    isUndelivered: request.isUndelivered ?? false,
    mailtoUrl: email ? mailtoUrl(request, practice) : null,
  };
}

/** For how many days of the practice a request has waited, as in "waiting 17 days". */
function waitingText(since: Date, timeZone: string): string {
  const startOf = (time: Date) => Date.parse(toWallTime(time, timeZone).day);
  const days = Math.round((startOf(now()) - startOf(since)) / DAY_MS);
  return days <= 0 ? "since today" : `waiting ${formatCount(days, "day")}`;
}

/** The requests of one list, in its order, with texts that fit on its page. Dialogs show them in full. */
export function shortenTexts<R extends Pick<RequestRecord, "serviceNeeds" | "message">>(requests: readonly R[]): R[] {
  const shorten = createTextShortener();
  return requests.map((request) => ({
    ...request,
    serviceNeeds: shorten(request.serviceNeeds),
    message: request.message && shorten(request.message),
  }));
}

/** The badge of an urgency; unknown values count as routine. */
export function urgencyBadge(urgency: string): { tone: "red" | "yellow" | "grey"; label: string } {
  if (urgency === "emergency") return { tone: "red", label: "EMERGENCY" };
  if (urgency === "urgent") return { tone: "yellow", label: "URGENT" };
  return { tone: "grey", label: "ROUTINE" };
}

/**
 * A reply to a request, as a mailto link. It quotes nothing of the request: what a family wrote about its child must not
 * go through other people's mail servers.
 */
export function mailtoUrl({ email, firstName }: RequestRecord, practice: Practice): string {
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
