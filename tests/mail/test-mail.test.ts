// Proves that the operator's test message reaches a real mail server, and that a failure says what to mend.
import { afterAll, expect, inject, test } from "vitest";
import { copyDatabase } from "../support/database/copy-database.ts";
import { runCommand } from "../support/servers/server-process.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("test-mail");
const environment = await testEnvironment(await copyDatabase(inject("template"), folder), folder);
const smtp = await startSmtpServer();

afterAll(() => smtp.stop());

const run = (args: string[], settings: Record<string, string> = { SMTP_URL: smtp.url }) =>
  runCommand(["bin/mail-test.js", ...args], { ...environment, ON_PINNED_NODE: "1", ...settings });

test("one message arrives, and the answer names sender and reply address where their domains differ", async () => {
  const sender = { MAIL_FROM: "hello@mail.example.org", PRACTICE_EMAIL: "dana@example.com" };
  const sent = await run(["you@example.net"], { SMTP_URL: smtp.url, ...sender });
  expect(sent).toMatchObject({ code: 0 });
  expect(sent.output).toContain("From: hello@mail.example.org. Replies go to: dana@example.com. Note: MAIL_FROM is in");
  expect(smtp.mails.map(({ to, event }) => [to, event])).toEqual([["you@example.net", "test"]]);
  expect(smtp.mails[0]?.text).toContain("choose Show original");
});

test("a refusal is one line that says why", async () => {
  smtp.refuse = () => 550;
  const refused = await run(["you@example.net"]);
  expect([refused.code, refused.output.trim()]).toEqual([
    1,
    "The mail server did not take the message (550). The server refuses this sender or this recipient. MAIL_FROM must be an address that the user may send from.",
  ]);
  const away = await run(["you@example.net"], { SMTP_URL: "smtp://127.0.0.1:9" });
  expect([away.code, /did not take the message \(\w+\)\. \w/.test(away.output)]).toEqual([1, true]);
  expect(await run(["you@example.net"], {})).toMatchObject({
    code: 1,
    output: expect.stringContaining("SMTP_URL is not set") as string,
  });
  for (const args of [[], ["nobody"], ["a@example.net", "b@example.net"]])
    expect(await run(args)).toMatchObject({ code: 1, output: expect.stringContaining("Use: npm run") as string });
});
