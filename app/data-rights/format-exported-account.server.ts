import type { AccessLogEntry } from "../accounts/access-log/family-access-log.server.ts";
import { type ExportRecord, joinLines, formatPracticeTimeOrNull } from "./format-exported-records.server.ts";
import { formatLegalTextDate } from "../ui/format-date-time.ts";
import type { AccountRow, InvitationRow } from "./exported-rows.server.ts";

/** Returns the version of the terms, named by the date of its text, and when it was accepted. */
export function formatAcceptanceForExport({ version, acceptedAt }: { version: string; acceptedAt: Date }): string {
  return `Those of ${formatLegalTextDate(version)}, accepted on ${formatPracticeTimeOrNull(acceptedAt)}`;
}

export function formatAccountForExport(account: AccountRow): ExportRecord {
  return {
    heading: `${account.firstName} ${account.lastName}`,
    fields: [
      ["Email", account.email],
      ["Email confirmed", formatPracticeTimeOrNull(account.emailConfirmedAt) ?? "Not yet"],
      ["Phone", account.phone ?? "Not given"],
      ["Account made", formatPracticeTimeOrNull(account.createdAt)],
      ["Last changed", formatPracticeTimeOrNull(account.updatedAt)],
      ["Closed", formatPracticeTimeOrNull(account.closedAt)],
      ["Terms and privacy policy accepted", joinLines(account.acceptedTerms.map(formatAcceptanceForExport))],
      ["Email address to be confirmed", account.emailToConfirm],
      ...account.earlierEmails.map(
        ({ oldEmail, changedAt }) =>
          [`Email address until ${formatPracticeTimeOrNull(changedAt)}`, oldEmail] as [string, string],
      ),
      ["Password", "Stored only in a scrambled form that can't be read back"],
      [
        "Second step at sign-in",
        account.secondStepSince ? `On since ${formatPracticeTimeOrNull(account.secondStepSince)}` : "Off",
      ],
      ["Recovery codes left", account.secondStepSince ? String(account.recoveryCodesLeft) : null],
      [
        "Passkeys",
        joinLines(
          account.passkeys.map(({ name, createdAt }) => `${name}, added ${formatPracticeTimeOrNull(createdAt)}`),
        ),
      ],
      ["How pages look", account.displayPreferences],
      ["Mail that is turned off", account.mailTurnedOff.join(", ")],
      [
        "Calendar link",
        account.calendarLinkSince ? `Made ${formatPracticeTimeOrNull(account.calendarLinkSince)}` : "None",
      ],
    ],
  };
}

export function formatDeviceForExport(device: { device: string; createdAt: Date; lastSeenAt: Date }): ExportRecord {
  return {
    heading: device.device,
    fields: [
      ["Signed in", formatPracticeTimeOrNull(device.createdAt)],
      ["Last used", formatPracticeTimeOrNull(device.lastSeenAt)],
    ],
  };
}

export function formatInvitationForExport({
  firstName,
  lastName,
  email,
  createdAt,
  expiresAt,
}: InvitationRow): ExportRecord {
  return {
    heading: `Invitation of ${formatPracticeTimeOrNull(createdAt)}`,
    fields: [
      ["Name", `${firstName} ${lastName}`],
      ["Email", email],
      ["Open until", formatPracticeTimeOrNull(expiresAt)],
    ],
  };
}

export function formatAccessLogEntryForExport({ at, who, what }: AccessLogEntry): ExportRecord {
  return { heading: `${who} ${what}`, fields: [["When", formatPracticeTimeOrNull(at)]] };
}
