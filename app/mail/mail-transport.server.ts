import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Transporter } from "nodemailer";
import { now } from "../clock.ts";
import { DAY_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { isFileOlderThan } from "../file-age.server.ts";
import { MAIL_TIMEOUTS_MS, MAX_MAIL_CONNECTIONS } from "./delivery-timeouts.ts";

export type Mail = {
  messageId: string;
  event: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** An iCalendar file. */
  calendar: string | null;
  /** Absolute URL, or null if the kind of message can't be turned off. */
  unsubscribeUrl: string | null;
};

/** Where mail is sent: to a mail server, into files of a local process, or nowhere. */
export type MailMode = "smtp" | "files" | "none";

export const mailMode: MailMode = env.mail.smtpUrl ? "smtp" : env.isPublic ? "none" : "files";

const MAIL_FILE_RETENTION_MS = 30 * DAY_MS;
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

export const CALENDAR_FILE_NAME = "visit.ics";

const COMPOSE_ONLY_OPTIONS = { streamTransport: true, buffer: true, newline: "windows" } as const;

let transporter: Promise<Transporter> | undefined;

/**
 * Sends a message, or writes it to a file. Throws the error of nodemailer or of the file system; see
 * `isPermanentMailFailure`.
 */
export async function sendMail(mail: Mail): Promise<void> {
  const openTransporter = await (transporter ??= createTransporter());
  const sendResult: unknown = await openTransporter.sendMail({
    ...composeMail(mail),
    signal: AbortSignal.timeout(MAIL_TIMEOUTS_MS.attempt),
  });
  if (mailMode === "files") await writeMailFile(mail.messageId, (sendResult as { message: Buffer }).message);
}

/**
 * Does the work of `sendMail` without sending: composes the message, and either signs in to the mail server or writes a
 * file and deletes it.
 */
export async function simulateSendMail(mail: Mail): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const { message } = await createTransport(COMPOSE_ONLY_OPTIONS).sendMail(composeMail(mail));
  if (mailMode === "smtp") await (await (transporter ??= createTransporter())).verify();
  else await writeMailFile(mail.messageId, message as Buffer);
  await rm(mailFilePath(mail.messageId), { force: true });
}

/** Closes the connections to the mail server. The next message opens them again. */
export async function closeMailConnections(): Promise<void> {
  const openTransporter = transporter;
  transporter = undefined;
  (await openTransporter)?.close();
}

/**
 * Returns the mail server's status code, such as 550, or the reason why the connection failed, such as ECONNREFUSED.
 */
export function mailFailureCode(error: unknown): string {
  const { responseCode, code, command, message = "" } = error as SmtpError;
  // nodemailer replaces the network's own reason with ESOCKET, but its message still contains it.
  const reason = /^connect (E[A-Z]+)/.exec(message)?.[1];
  if (code === "EABORT") return "ETIMEDOUT";
  const status =
    responseCode && (isRecipientOrMessageFailure(error) ? responseCode : `${command ?? "CONN"} ${responseCode}`);
  return String(status || reason || code || "unknown").slice(0, 40);
}

/**
 * Checks whether the mail server permanently refused this recipient or this message, rather than this client or only
 * temporarily.
 */
export function isPermanentMailFailure(error: unknown): boolean {
  return isRecipientOrMessageFailure(error) && ((error as SmtpError).responseCode ?? 0) >= 500;
}

type SmtpError = { responseCode?: number; code?: string; command?: string; message?: string };

/**
 * Checks whether the mail server's reply was about a recipient or a message. 421 means that the server closes the
 * connection.
 */
function isRecipientOrMessageFailure(error: unknown): boolean {
  const { responseCode, command = "" } = error as SmtpError;
  return responseCode !== 421 && /^(RCPT TO|DATA)/.test(command);
}

/** Returns the path of the file that a local process writes instead of sending a message. */
export function mailFilePath(messageId: string): string {
  return path.join(env.mail.outboxFolder, `${messageId.replace(/@.*/, "")}.eml`);
}

async function createTransporter(): Promise<Transporter> {
  // Loaded with the first message, because the server does not need it to start.
  const { createTransport } = await import("nodemailer");
  if (!env.mail.smtpUrl) return createTransport(COMPOSE_ONLY_OPTIONS);
  const url = new URL(env.mail.smtpUrl);
  const defaults: Record<string, number | boolean> = {
    pool: true,
    maxConnections: MAX_MAIL_CONNECTIONS,
    connectionTimeout: MAIL_TIMEOUTS_MS.connection,
    greetingTimeout: MAIL_TIMEOUTS_MS.greeting,
    socketTimeout: MAIL_TIMEOUTS_MS.socket,
    dnsTimeout: MAIL_TIMEOUTS_MS.dns,
  };
  for (const [name, value] of Object.entries(defaults))
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(value));
  // Passwords and messages must never be sent unencrypted over a network, nor to a server with an invalid certificate,
  // whatever the URL specifies. requireTLS overrides ignoreTLS and opportunisticTLS.
  if (!LOOPBACK_HOSTS.includes(url.hostname))
    for (const name of ["requireTLS", "tls.rejectUnauthorized"]) url.searchParams.set(name, "true");
  return createTransport(url.href, { disableFileAccess: true, disableUrlAccess: true });
}

function composeMail(mail: Mail) {
  const { messageId, event, to, subject, text, html, calendar, unsubscribeUrl } = mail;
  const method = /^METHOD:(\w+)/m.exec(calendar ?? "")?.[1] ?? "PUBLISH";
  return {
    messageId: `<${messageId}>`,
    from: { name: env.practice.name, address: env.mail.from },
    replyTo: env.practice.email,
    to: { name: "", address: to },
    subject,
    text,
    html,
    headers: {
      "X-Event": event,
      // Prevents out-of-office replies (RFC 3834).
      "Auto-Submitted": "auto-generated",
      ...(unsubscribeUrl && {
        "List-Unsubscribe": `<${unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
    attachments: calendar
      ? [
          {
            filename: CALENDAR_FILE_NAME,
            content: calendar,
            contentType: `text/calendar; charset=utf-8; method=${method}`,
          },
        ]
      : [],
  };
}

/** Matches the suffix of a file that is still being written. */
const PARTIAL_SUFFIX = /\.\d+\.part$/;

/** Writes a message to a file. The rename is atomic, and a repeated message replaces its own file. */
async function writeMailFile(messageId: string, content: Buffer): Promise<void> {
  const file = mailFilePath(messageId);
  if (!existsSync(env.mail.outboxFolder)) await mkdir(env.mail.outboxFolder, { recursive: true, mode: 0o700 });
  const temporaryFile = `${file}.${process.pid}.part`;
  await writeFile(temporaryFile, content, { mode: 0o600 });
  await rename(temporaryFile, file);
}

/**
 * Deletes the files of these messages if a local process wrote them, including partial files of a process that has
 * died.
 */
export async function deleteMailFiles(messageIds: readonly string[]): Promise<void> {
  if (mailMode !== "files" || messageIds.length === 0) return;
  const folder = env.mail.outboxFolder;
  const files = new Set(messageIds.map((messageId) => path.basename(mailFilePath(messageId))));
  for (const name of existsSync(folder) ? await readdir(folder) : [])
    if (files.has(name.replace(PARTIAL_SUFFIX, ""))) await rm(path.join(folder, name), { force: true });
}

/** Deletes the files of messages after 30 days. */
export async function deleteOldMailFiles(): Promise<void> {
  const folder = env.mail.outboxFolder;
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    const file = path.join(folder, name);
    if (await isFileOlderThan(file, new Date(now().getTime() - MAIL_FILE_RETENTION_MS)))
      await rm(file, { force: true });
  }
}
