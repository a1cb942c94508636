import { randomUUID } from "node:crypto";
import { env } from "../env.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { renderMessageHtml, renderMessageText } from "./render-message.ts";
import { closeMailConnections, mailFailureCode, mailMode, sendMail } from "./mail-transport.server.ts";

/** The most common cause of a failure, by the status code or reason from the mail server or the network. */
const FAILURE_HINTS: Record<string, string> = {
  "535": "User or password is wrong. Percent-encode special characters in SMTP_URL.",
  "530": "The server wants a user and a password in SMTP_URL.",
  "550": "The server refuses this sender or this recipient. MAIL_FROM must be an address that the user may send from.",
  "554":
    "The server refuses this sender or this recipient. Amazon SES says so until the domain is verified and, for other recipients, until it has left the sandbox.",
  ECONNREFUSED: "Nothing answers there. Check host and port.",
  EHOSTUNREACH: "Nothing answers there. Check host and port.",
  ENETUNREACH: "Nothing answers there. Check host and port.",
  ETIMEDOUT: "Nothing answers there. Check host and port; many hosts block port 25.",
  EDNS: "There is no such host. Check its name.",
  ETLS: "The server offers no encryption on this port. Use 587 with smtp://, or 465 with smtps://.",
  ESOCKET: "The connection broke. Use smtp:// with port 587, and smtps:// with port 465.",
};

/**
 * Sends one test message through the configured mail server, without the outbox. Returns the text to show. Refusals:
 * notFound (no mail server is configured), conflict (the server did not accept the message; the text says why).
 */
export async function sendTestMail(email: string): Promise<Outcome<string>> {
  if (mailMode !== "smtp") return refused("notFound", "SMTP_URL is not set, so no mail can be sent.");
  const { practice, mail } = env;
  const content = {
    subject: "Test: mail from your site works",
    preview: "Nothing else to do with this message but to check it.",
    paragraphs: [
      `This is a test from ${practice.name}. If you read it in your inbox, mail arrives.`,
      "Now check that it is signed: in Gmail, open the three dots, choose Show original, and look for PASS beside SPF, DKIM and DMARC.",
    ],
  };
  const options = { practice, origin: env.origin, actionUrl: null, unsubscribe: null };
  try {
    await sendMail({
      messageId: `${randomUUID()}@${new URL(env.origin).hostname}`,
      event: "test",
      to: email,
      subject: content.subject,
      text: renderMessageText(content, options),
      html: renderMessageHtml(content, options),
      calendar: null,
      unsubscribeUrl: null,
    });
  } catch (error) {
    const code = mailFailureCode(error);
    // A server without STARTTLS also returns a status code for that unknown command.
    const hint =
      FAILURE_HINTS[/\d{3}$/.exec(code)?.[0] ?? code] ??
      FAILURE_HINTS[(error as { code?: string }).code ?? ""] ??
      toErrorMessage(error);
    return refused("conflict", `The mail server did not take the message (${code}). ${hint}`);
  } finally {
    await closeMailConnections();
  }
  return accepted(
    `The mail server ${mailServerHost()} took the message. From: ${mail.from}. Replies go to: ${practice.email}.${senderDomainMismatchNote()}`,
  );
}

/**
 * Returns a note if the sender and the reply address have different domains, otherwise an empty string. DMARC compares
 * the sender's domain. A reply address in another domain is allowed, but often a mistake.
 */
function senderDomainMismatchNote(): string {
  const [from, replies] = [env.mail.from, env.practice.email].map(emailDomain);
  return from === replies
    ? ""
    : ` Note: MAIL_FROM is in ${from}, PRACTICE_EMAIL in ${replies}. SPF, DKIM and DMARC must be set up for ${from}.`;
}

const emailDomain = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();
const mailServerHost = () => new URL(env.mail.smtpUrl ?? "").host;
const toErrorMessage = (error: unknown) => (error instanceof Error ? error.message.slice(0, 200) : "");
