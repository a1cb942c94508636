// Proves that every database query limits how many rows it reads, or that a stated reason bounds them.
import { parseSync } from "vite";
import { expect, test } from "vitest";
import { filesBelow, read } from "../support/source-files.ts";

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** Queries without `take`, by file and table, with what bounds them instead. The list may only become shorter. */
const BOUNDED_OTHERWISE: Record<string, string> = {
  "accounts/email/queue-account-message.server.ts user": "the administrators",
  "accounts/new-account.server.ts appointment": "one of each account that is asked about",
  "accounts/passkeys/passkeys.server.ts passkey, 2 times": "ten of an account",
  "mail/reapply-opt-outs.server.ts mailOptOut": "the topics of mail, of one account",
  "accounts/sessions/signed-in-devices.server.ts session": "twenty of an account",
  "accounts/sessions/session-store.server.ts session, 2 times": "the open sockets of a process; twenty of an account",
  "audit/audit-anchors.server.ts auditEntry": "500 numbers that are asked for",
  "backup/erased-accounts.server.ts erasedAccount": "numbers and times of what the practice erased",
  "booking/appointment-list/appointment-conditions.server.ts appointment": "those of four hours, which do not overlap",
  "booking/appointment-list/first-visits.server.ts appointment, 2 times":
    "one of each family of a page; those of the other people of a page",
  "booking/appointment-list/first-visits.server.ts consultationRequest": "one of each visit of a page",
  "booking/availability/hours-overrides.server.ts hoursOverride": "days to come that the consultant changed",
  "booking/holds/release-holds.server.ts hold, 2 times":
    "those of four hours, which do not overlap; one of a family and its payments",
  "booking/follow-ups/drop-follow-up-messages.server.ts followUp": "those that one family may see",
  "booking/follow-ups/visit-follow-ups.server.ts followUp": "those of one visit",
  "booking/invitations/delete-invitations.server.ts invitation": "those of one family: one of each address and visit",
  "booking/limits/network-limits.server.ts appointment": "unpaid visits to come of one network, which its limits bound",
  "booking/limits/network-limits.server.ts hold": "held times of one network, which its limits bound",
  "booking/limits/new-account-limits.server.ts appointment": "60 to come of a family and those of a week",
  "booking/limits/new-account-limits.server.ts hold": "those of a family, which do not overlap",
  "booking/limits/new-account-quota.server.ts appointment": "those of two weeks, which do not overlap",
  "booking/limits/new-account-quota.server.ts hold": "those of two weeks, which do not overlap",
  "booking/messages/visit-reminders.server.ts appointment": "those of a day, which do not overlap",
  "booking/notes/family-notes.server.ts familyNote": "those of one visit",
  "booking/waiting-list/end-waiting-list-offers.server.ts waitingListOffer": "one of each of five days of a family",
  "booking/waiting-list/waiting-list.server.ts waitingListEntry, 4 times":
    "five days of a family, 50 families of a day",
  "checkout/admin-payments.server.ts payment": "those of a visit that were not declined",
  "checkout/cancellation/cancel-upcoming-appointments.server.ts appointment":
    "60 to come of a family, and what the consultant booked for it",
  "checkout/external-refunds.server.ts refund": "those of a payment that await their number",
  "checkout/cancellation/copy-consultation-request-to-payments.server.ts payment": "those of a visit",
  "data-rights/consultant-messages.server.ts complianceCase": "those of a family: its form has a limit",
  "data-rights/consultant-messages.server.ts consultationRequest": "those of a family: five an hour, ten of them open",
  "data-rights/consultant-messages.server.ts user": "administrators, now or earlier",
  "data-rights/erase-accounts.server.ts document": "2,000 of a family",
  "data-rights/erase-accounts.server.ts message": "keys of a family's messages: 60 a day, for 180 days",
  "data-rights/erase-consultation-request.server.ts message": "the messages to one address, and about one visit",
  "data-rights/exported-documents.server.ts document": "2,000 of a family",
  "data-rights/exported-rows.server.ts draft": "one of each form of a family",
  "data-rights/own-messages.server.ts appointment": "numbers of a family's visits",
  "data-rights/own-messages.server.ts auditEntry":
    "numbers of a family's visits that were deleted, and of its requests: five an hour",
  "data-rights/own-messages.server.ts consultationRequest": "those of a family: five an hour, ten of them open",
  "data-rights/own-payments.server.ts consultationRequest":
    "those of a family that the consultant scheduled, and whose visit she deleted",
  "data-rights/family-data-conditions.server.ts emailChange": "six a day of an account",
  "data-rights/family-data-conditions.server.ts user": "one of each earlier address",
  "data-rights/retention.server.ts user": "numbers of the accounts that a command of the operator prints",
  "intake/intake-child-details.server.ts intakeForm": "one of each family of a page",
  "intake/intake-draft.server.ts draft": "one of each form of a family",
  "mail/drop-messages.server.ts message": "keys of one event of a family, for 180 days",
  "mail/outbox.server.ts message": "two of each visit of a day; one of each family that it became the own of",
  "mail/redirect-mail.server.ts message": "what one address refused in three days: 60 a day",
  "mail/preferences.server.ts mailOptOut": "one of each kind of mail",
  "mail/wording.server.ts messageWording": "one of each kind of mail",
  "video/presence/postgresql-presence-store.server.ts callPresence, 2 times": "two of a visit; the processes",
};

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

function* nodesBelow(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesBelow(child);
}

const nameOf = (node: unknown) => (isNode(node) ? ((node.name ?? node.value) as string | undefined) : undefined);
const propertiesOf = (node: unknown) =>
  isNode(node) && node.type === "ObjectExpression" ? (node.properties as Node[]) : [];
const propertyOf = (node: unknown, name: string) => propertiesOf(node).find(({ key }) => nameOf(key) === name)?.value;

/** It has `take`, the `...page` of a paged reader, or names its rows by their ids. */
function isBounded(query: unknown): boolean {
  const hasPage = propertiesOf(query).some(
    ({ type, argument }) => type === "SpreadElement" && nameOf(argument) === "page",
  );
  const ids = propertyOf(propertyOf(query, "where"), "id");
  return hasPage || propertyOf(query, "take") !== undefined || propertyOf(ids, "in") !== undefined;
}

function unboundedQueries(file: string): string[] {
  const found: string[] = [];
  for (const node of nodesBelow(parseSync(file, read(file)).program as unknown as Node)) {
    const callee = node.type === "CallExpression" && isNode(node.callee) ? node.callee : null;
    if (!callee || nameOf(callee.property) !== "findMany" || isBounded((node.arguments as Node[])[0])) continue;
    const table = isNode(callee.object) ? nameOf(callee.object.property) : undefined;
    found.push(`${file.replace("app/", "")} ${table}`);
  }
  return found;
}

test("every findMany query has a limit, or is listed here with what bounds its rows", () => {
  const queries = filesBelow("app")
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap(unboundedQueries);
  const counted = [...new Set(queries)].map((query) => {
    const times = queries.filter((each) => each === query).length;
    return times === 1 ? query : `${query}, ${times} times`;
  });
  expect(counted.toSorted()).toEqual(Object.keys(BOUNDED_OTHERWISE).toSorted());
});
