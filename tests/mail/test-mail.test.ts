// Proves that the operator's test email reaches a real mail server, and that a failure says what to fix.
import { afterAll, describe, expect, inject, test } from "vitest";
import { copyDatabase } from "../support/database/copy-database.ts";
import { runCommand } from "../support/servers/server-process.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { PUBLIC_SITE, testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("test-mail");
const environment = await testEnvironment(await copyDatabase(inject("template"), folder), folder);
const smtp = await startSmtpServer();

afterAll(() => smtp.stop());

const run = (args: string[], settings: Record<string, string> = { SMTP_URL: smtp.url }) =>
  runCommand(["bin/mail-test.js", ...args], { ...environment, ON_PINNED_NODE: "1", ...settings });

test("one email arrives, and the output names sender and reply address if their domains differ", async () => {
  const sender = { MAIL_FROM: "hello@mail.example.org", PRACTICE_EMAIL: "dana@example.com" };
  const sent = await run(["you@example.net"], { SMTP_URL: smtp.url, ...sender });
  expect(sent).toMatchObject({ code: 0 });
  expect(sent.output).toContain("From: hello@mail.example.org. Replies go to: dana@example.com. Note: MAIL_FROM is in");
  expect(smtp.mails.map(({ to, event }) => [to, event])).toEqual([["you@example.net", "test"]]);
  expect(smtp.mails[0]?.text).toContain("choose Show original");
});

test("a failure prints the reason and exits with 1", async () => {
  smtp.refuse = () => 550;
  const refused = await run(["you@example.net"]);
  expect([refused.code, refused.output.trim()]).toEqual([
    1,
    "The mail server did not take the message (550). The server refuses this sender or this recipient. MAIL_FROM must be an address that the user may send from.",
  ]);
  const away = await run(["you@example.net"], { SMTP_URL: "smtp://127.0.0.1:9" });
  expect([away.code, away.output.trim()]).toEqual([
    1,
    "The mail server did not take the message (ECONNREFUSED). Nothing answers there. Check host and port.",
  ]);
  expect(await run(["you@example.net"], {})).toMatchObject({
    code: 1,
    output: expect.stringContaining("SMTP_URL is not set") as string,
  });
  for (const args of [[], ["nobody"], ["a@example.net", "b@example.net"]])
    expect(await run(args)).toMatchObject({ code: 1, output: expect.stringContaining("Use: npm run") as string });
});

describe("on a public site, no email and no SMTP password is sent", () => {
  test.each([
    ["to a server without STARTTLS", false, "", "offers no encryption"],
    ["without STARTTLS, even with requireTLS=false in SMTP_URL", false, "?requireTLS=false", "offers no encryption"],
    [
      "without STARTTLS, even with ignoreTLS=true in SMTP_URL",
      false,
      "?ignoreTLS=true&requireTLS=false",
      "offers no encryption",
    ],
    ["to a server with an untrusted certificate", true, "", "The connection broke|certificate"],
    [
      "with an untrusted certificate, even with rejectUnauthorized=false",
      true,
      "?tls.rejectUnauthorized=false",
      "The connection broke|certificate",
    ],
    [
      "with an untrusted certificate, even with opportunisticTLS=true",
      true,
      "?opportunisticTLS=true",
      "The connection broke|certificate",
    ],
  ])("%s", async (_, offersTls, query, words) => {
    // Another loopback address, which counts as another machine's.
    const remote = await startSmtpServer({ host: "127.0.0.2", offersTls });
    const address = `${remote.url.replace("//", "//site:a-mail-password@")}/${query}`;
    const sent = await run(["you@example.net"], { ...PUBLIC_SITE, SMTP_URL: address });
    await remote.stop();
    expect([sent.code, sent.output]).toEqual([1, expect.stringMatching(words)]);
    expect(remote.connections).toBeGreaterThan(0);
    expect([remote.signIns, remote.attempts, remote.mails]).toEqual([0, 0, []]);
    expect(sent.output).not.toContain("a-mail-password");
  });

  test("unencrypted, except to a mail server on the same machine", async () => {
    const before = smtp.mails.length;
    smtp.refuse = () => null;
    expect(await run(["you@example.net"], { ...PUBLIC_SITE, SMTP_URL: smtp.url })).toMatchObject({ code: 0 });
    expect(smtp.mails).toHaveLength(before + 1);
  });
});
