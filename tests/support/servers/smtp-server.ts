import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { callbackify } from "node:util";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";

export type ReceivedMail = {
  to: string;
  event: string;
  messageId: string;
  subject: string;
  text: string;
  html: string;
  headers: ParsedMail["headers"];
  /** The calendar file, and its Content-Type. */
  calendar: { text: string; method: string } | null;
};

type SmtpServerOptions = {
  refuse?: Refuse;
  /** An address of this machine; those but 127.0.0.1 count as another machine's. */
  host?: string;
  /** Offers STARTTLS, with a certificate that nobody signed. */
  offersTls?: boolean;
};
type Refuse = (attempt: { number: number; to: string }) => number | null;

/**
 * A real mail server. `refuse` answers a recipient with a status code instead of taking the message; `onAccepted` runs
 * when a message is taken, before the answer says so.
 */
export async function startSmtpServer({
  refuse = () => null,
  host = "127.0.0.1",
  offersTls = false,
}: SmtpServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const state = {
    attempts: 0,
    connections: 0,
    signIns: 0,
    refuse,
    mails,
    onAccepted: () => {},
    /** The status code for a message that the server has read; null takes it. The server answers once that is known. */
    refuseMessage: (_mail: ReceivedMail): number | null | Promise<number | null> => null,
    /** The status code for every sender; null takes them. */
    refuseSenders: null as number | null,
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: offersTls ? [] : ["STARTTLS"],
    onAuth(_auth, _session, done) {
      state.signIns += 1;
      done(null, { user: "site" });
    },
    allowInsecureAuth: true,
    logger: false,
    // An idle pooled connection would delay `stop` by the default of 30 s.
    closeTimeout: 50,
    onConnect(_session, done) {
      state.connections += 1;
      done();
    },
    onMailFrom(_address, _session, done) {
      const responseCode = state.refuseSenders;
      done(responseCode === null ? null : Object.assign(new Error("Not from you"), { responseCode }));
    },
    onRcptTo({ address }, _session, done) {
      const code = state.refuse({ number: (state.attempts += 1), to: address });
      done(code === null ? null : Object.assign(new Error("Not now"), { responseCode: code }));
    },
    onData: callbackify(async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
      const parsed = await simpleParser(stream);
      const received = session.envelope.rcptTo.map(({ address }) => toReceived(parsed, address));
      const codes = await Promise.all(received.map(async (mail) => state.refuseMessage(mail)));
      const responseCode = codes.find((code) => code !== null);
      if (responseCode !== undefined) throw Object.assign(new Error("Not this one"), { responseCode });
      mails.push(...received);
      state.onAccepted();
    }),
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(state, {
    url: `smtp://${host}:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  });
}

function toReceived(parsed: ParsedMail, to: string): ReceivedMail {
  const file = parsed.attachments.find(({ contentType }) => contentType === "text/calendar");
  const type = file?.headers.get("content-type") as { params?: { method?: string } } | undefined;
  return {
    to,
    event: String(parsed.headers.get("x-event")),
    messageId: parsed.messageId ?? "",
    subject: parsed.subject ?? "",
    text: parsed.text ?? "",
    html: parsed.html || "",
    headers: parsed.headers,
    calendar: file ? { text: file.content.toString("utf8"), method: type?.params?.method ?? "" } : null,
  };
}
