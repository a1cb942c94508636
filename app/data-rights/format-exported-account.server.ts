import type { AccessLogEntry } from "../accounts/access-log/family-access-log.server.ts";
import { type ExportRecord, joinLines, formatExportTime } from "./format-exported-records.server.ts";
import { formatTextDate } from "../ui/dates.ts";
import type { AccountRow, InvitationRow } from "./exported-rows.server.ts";

/** Returns the version of the terms, named by the date of its text, and when it was accepted. */
export function formatAcceptanceForExport({ version, acceptedAt }: { version: string; acceptedAt: Date }): string {
  return `Those of ${formatTextDate(version)}, accepted on ${formatExportTime(acceptedAt)}`;
}

export function formatAccountForExport(account: AccountRow): ExportRecord {
  return {
    heading: `${account.firstName} ${account.lastName}`,
    fields: [
      ["Email", account.email],
      ["Email confirmed", formatExportTime(account.emailConfirmedAt) ?? "Not yet"],
      ["Phone", account.phone ?? "Not given"],
      ["Account made", formatExportTime(account.createdAt)],
      ["Last changed", formatExportTime(account.updatedAt)],
      ["Closed", formatExportTime(account.closedAt)],
      ["Terms and privacy policy accepted", joinLines(account.acceptedTerms.map(formatAcceptanceForExport))],
      ["Email address to be confirmed", account.emailToConfirm],
      ...account.earlierEmails.map(
        ({ oldEmail, changedAt }) =>
          [`Email address until ${formatExportTime(changedAt)}`, oldEmail] as [string, string],
      ),
      ["Password", "Stored only in a scrambled form that can't be read back"],
      [
        "Second step at sign-in",
        account.secondStepSince ? `On since ${formatExportTime(account.secondStepSince)}` : "Off",
      ],
      ["Recovery codes left", account.secondStepSince ? String(account.recoveryCodesLeft) : null],
      [
        "Passkeys",
        joinLines(account.passkeys.map(({ name, createdAt }) => `${name}, added ${formatExportTime(createdAt)}`)),
      ],
      ["How pages look", account.displayPreferences],
      ["Mail that is turned off", account.mailTurnedOff.join(", ")],
      ["Calendar link", account.calendarLinkSince ? `Made ${formatExportTime(account.calendarLinkSince)}` : "None"],
    ],
  };
}

export function formatDeviceForExport(device: { device: string; createdAt: Date; lastSeenAt: Date }): ExportRecord {
  return {
    heading: device.device,
    fields: [
      ["Signed in", formatExportTime(device.createdAt)],
      ["Last used", formatExportTime(device.lastSeenAt)],
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
    heading: `Invitation of ${formatExportTime(createdAt)}`,
    fields: [
      ["Name", `${firstName} ${lastName}`],
      ["Email", email],
      ["Open until", formatExportTime(expiresAt)],
    ],
  };
}

export function formatAccessLogEntryForExport({ at, who, what }: AccessLogEntry): ExportRecord {
  return { heading: `${who} ${what}`, fields: [["When", formatExportTime(at)]] };
}
