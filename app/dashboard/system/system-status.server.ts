import { findUnacknowledgedRevocationLoss } from "../../backup/unknown-revocations.server.ts";
import { isBackupConfigured, readBackupStatus } from "../../backup/backup-status.server.ts";
import { refusalUnlessAdmin } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { findUnseenScriptChanges } from "../../checkout/script-watch/payment-script-warnings.server.ts";
import { MINUTE_SECONDS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { warningsFromSource } from "../../http/admin-warnings.server.ts";
import { loadDependencyHealth } from "../../http/health.server.ts";
import { accepted, type Outcome } from "../../http/outcome.ts";
import { readOutboxMetrics } from "../../mail/outbox-metrics.server.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { readDiskSpace } from "../../process/system-info.server.ts";
import { listUndeliveredMails } from "../undelivered-mail.server.ts";
import { diskAdvice } from "./disk-advice.ts";
import type { DismissibleWarning } from "./dismiss-warning-schema.ts";
import { formatGigabytes } from "./format-gigabytes.ts";

/**
 * One part of the system. `fact` describes its state, and `advice` what to do, if anything. `setting` is the name of a
 * missing setting in docs/operations.md. `markAsSeen` is the last event that can be marked as seen: a change of the
 * payment page's script, or a restored backup.
 */
export type StatusItem = {
  name: string;
  state: "well" | "attention" | "off";
  fact: string;
  advice: string[];
  setting?: string;
  markAsSeen?: { part: DismissibleWarning; upTo: number };
};

/** Delivery is retried every few seconds, so older mail has a problem. */
const MAX_MAIL_AGE_SECONDS = 10 * MINUTE_SECONDS;

/**
 * Returns the state of everything that the site needs, from the figures of `/metrics`. Contains no family's data.
 * Refusal: forbidden.
 */
export async function readSystemStatus(person: Person): Promise<Outcome<StatusItem[]>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const { database = false, storage = false } = await loadDependencyHealth();
  return accepted([
    databaseStatus(database),
    storageStatus(storage),
    virusScanStatus(),
    await diskStatus(),
    await backupStatus(),
    await mailStatus(person),
    await cardPaymentStatusItem(),
    relayStatus(),
    securityStatus(),
  ]);
}

function createStatusItem(name: string, fact: string, advice: readonly string[]): StatusItem {
  return { name, fact, advice: [...advice], state: advice.length === 0 ? "well" : "attention" };
}

function databaseStatus(isHealthy: boolean): StatusItem {
  const kind = env.databaseUrl.startsWith("postgres") ? "PostgreSQL" : "SQLite, on this computer";
  return isHealthy
    ? createStatusItem("Database", `${kind}. Working.`, [])
    : createStatusItem("Database", `${kind}. It does not answer.`, [
        "Nothing can be saved. Call the person who installed this site, and ask for the database to be looked at first.",
      ]);
}

function storageStatus(isHealthy: boolean): StatusItem {
  const place = env.files.bucket ? "A storage service" : "A folder on this computer";
  const warnings = warningsFromSource("storage");
  return isHealthy
    ? createStatusItem("Documents", `${place}. Working.`, warnings)
    : createStatusItem("Documents", `${place}. It does not answer.`, [
        "Documents can't be opened or added. Call the person who installed this site.",
        ...warnings,
      ]);
}

function virusScanStatus(): StatusItem {
  const infected = warningsFromSource("infected documents");
  if (env.clamd !== null)
    return createStatusItem("Virus scan", "Each file is scanned before it is saved. What may be a virus is refused.", [
      ...warningsFromSource("virus scan"),
      ...infected,
    ]);
  return {
    name: "Virus scan",
    state: "off",
    fact: "Uploaded files are not scanned for viruses.",
    advice: [
      ...infected,
      "Open families’ files only on a computer with an antivirus program. A scanner would check each file as it arrives.",
    ],
    setting: "CLAMAV_URL",
  };
}

async function diskStatus(): Promise<StatusItem> {
  const space = await readDiskSpace();
  const fact = `${formatGigabytes(space.freeBytes)} of ${formatGigabytes(space.totalBytes)} are free.`;
  return createStatusItem("Disk space", fact, diskAdvice(space));
}

async function backupStatus(): Promise<StatusItem> {
  const restoreWarnings = warningsFromSource("restored backup");
  // Warnings are up to a minute old. Without a warning on the page there is nothing to mark as seen.
  const restoreEntry = restoreWarnings.length > 0 ? await findUnacknowledgedRevocationLoss() : null;
  const seen = restoreEntry && { markAsSeen: { part: "restored backup" as const, upTo: restoreEntry.sequence } };
  if (!isBackupConfigured()) {
    return {
      name: "Backups",
      fact: "No backups are made.",
      advice: [...restoreWarnings, "If this computer is lost, everything is lost."],
      setting: "BACKUP_KEYS",
      state: env.isPublic || restoreEntry ? "attention" : "off",
      ...seen,
    };
  }
  const { backup, rehearsal } = await readBackupStatus();
  const lastBackup = backup.lastSuccess;
  const lastRehearsal = rehearsal.lastSuccess;
  const facts = [
    lastBackup ? `The last one was made on ${formatPracticeDateTime(lastBackup.at)}.` : "There is none yet.",
    lastRehearsal ? `One was last restored as a test on ${formatPracticeDateTime(lastRehearsal.at)}.` : "",
  ];
  const notRestored = lastRehearsal
    ? []
    : ["None has been restored as a test yet. Ask the person who installed this site to do that."];
  const advice = [...restoreWarnings, ...warningsFromSource("backups"), ...notRestored];
  return { ...createStatusItem("Backups", facts.filter(Boolean).join(" "), advice), ...seen };
}

async function mailStatus(person: Person): Promise<StatusItem> {
  const { pending, oldestSeconds } = await readOutboxMetrics();
  const failed = (await listUndeliveredMails(person)).length;
  const minutes = Math.floor(oldestSeconds / MINUTE_SECONDS);
  const waiting =
    pending === 0
      ? "No email is waiting."
      : `${formatCountWithNoun(pending, "email waits", "emails wait")}, the oldest for ${minutes === 0 ? "less than a minute" : formatCountWithNoun(minutes, "minute")}.`;
  const notDelivered =
    failed === 0
      ? []
      : [`Email of the last two weeks did not reach ${formatCountWithNoun(failed, "person", "people")}.`];
  const isLate = oldestSeconds > MAX_MAIL_AGE_SECONDS;
  const warnings = warningsFromSource("mail");
  const advice = [
    ...warnings,
    ...(isLate && warnings.length === 0
      ? ["Email goes out late. Ask the person who installed this site to look at its log."]
      : []),
    ...(failed > 0 ? ["Your dashboard lists who. Ask them for an address that works."] : []),
  ];
  if (mailMode === "smtp") return createStatusItem("Mail", [waiting, ...notDelivered].join(" "), advice);
  const trial = "Test mode: email is saved to a folder on this computer, not sent.";
  return {
    name: "Mail",
    state: env.isPublic || advice.length > 0 ? "attention" : "off",
    fact: mailMode === "none" ? "No email is sent." : [trial, waiting, ...notDelivered].join(" "),
    advice,
    setting: "SMTP_URL",
  };
}

async function cardPaymentStatusItem(): Promise<StatusItem> {
  const facts = {
    square: "Square takes cards.",
    simulator: "Test mode: a simulator stands in for the card provider, and no money moves.",
    off: "Cards are not taken. Families pay in person.",
  };
  const scriptWarnings = warningsFromSource("payment script");
  const warnings = [...warningsFromSource("payments"), ...scriptWarnings];
  // Warnings are up to a minute old. Without a warning on the page there is nothing to mark as seen.
  const change = scriptWarnings.length > 0 ? await findUnseenScriptChanges() : null;
  const current = createStatusItem("Card payment", facts[env.payments], warnings);
  if (change) return { ...current, markAsSeen: { part: "payment script", upTo: change.lastChangeId } };
  return env.payments === "off" && current.state === "well" ? { ...current, state: "off" } : current;
}

function relayStatus(): StatusItem {
  if (env.video.turnUrls.length > 0)
    return createStatusItem("Video relay", "A relay helps where a network blocks direct calls.", []);
  return {
    name: "Video relay",
    state: "off",
    fact: "There is none. Calls go straight from one device to the other.",
    advice: ["On some networks, such as a school's or a hospital's, a call can't connect. A relay would help there."],
    setting: "TURN_URLS",
  };
}

function securityStatus(): StatusItem {
  // That warning names an account, which this page must not show.
  const wrongPasswords =
    warningsFromSource("sign-in").length > 0
      ? ["Somebody tries many wrong passwords on an account. Your dashboard says which: ask its owner."]
      : [];
  const warnings = [...["access log", "encrypted texts"].flatMap(warningsFromSource), ...wrongPasswords];
  const fact =
    warnings.length === 0
      ? "The access log is whole, stored texts can be opened, and nobody tries passwords in large numbers."
      : "Something needs a closer look.";
  return createStatusItem("Safety", fact, warnings);
}
