import { afterAll } from "vitest";
import { environmentOverrides } from "./environment-overrides.ts";
import { startSmtpServer } from "./servers/smtp-server.ts";

/** A site whose mail goes to a real mail server. */
export const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { SMTP_URL: smtp.url, MAIL_FROM: "hello@practice.example" });
export const site = await import("./site.ts");

// Mail is delivered by `received` alone.
await site.testing.stopJobs();
afterAll(() => smtp.stop());

/** What has arrived since the last call, once everything due is delivered. */
export async function received(to?: string) {
  await site.testing.deliverDueMessages();
  return smtp.mails.splice(0).filter((mail) => to === undefined || mail.to === to);
}
