// Proves the daily limit on emails to a domain whose addresses may all be one mailbox.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("domains");
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder), { RATE_LIMITS: "on" });
const { runWithMailRequesterIp } = await import("../../app/mail/mail-requester-ip.server.ts");
const { consumeUnconfirmedMailLimits } = await import("../../app/mail/unconfirmed-mail-limits.server.ts");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let networks = 0;

/** How many of so many mails go out that ever new networks bring, to an address that is another one each time. */
async function sendFromManyNetworks(count: number, addressOf: (number: number) => string) {
  let sent = 0;
  for (let number = 0; number < count; number += 1) {
    if (number % 20 === 0) networks += 1;
    const address = addressOf(number);
    const requester = `192.0.${Math.floor(networks / 200)}.${networks % 200}`;
    if (await runWithMailRequesterIp(requester, () => consumeUnconfirmedMailLimits(address, "request-received")))
      sent += 1;
  }
  return sent;
}

test("all addresses of a domain and its subdomains together get 90 emails per day, from any number of networks", async () => {
  expect(await sendFromManyNetworks(60, (number) => `tag${number}@maria.fastmail.com`)).toBe(60);
  expect(await sendFromManyNetworks(60, (number) => `maria@s${number}.fastmail.com`)).toBe(30);
  expect(await sendFromManyNetworks(1, () => "maria@fastmail.com")).toBe(0);
  expect(await sendFromManyNetworks(1, () => "maria@example.com")).toBe(1);
  vi.advanceTimersByTime(25 * 3_600_000);
  expect(await sendFromManyNetworks(1, () => "maria@fastmail.com")).toBe(1);
});

test("emails to different addresses at a large provider (gmail.com) don't share a limit", async () => {
  expect(await sendFromManyNetworks(120, (number) => `stranger${number}@gmail.com`)).toBe(120);
});

test("waiting-list offers, which a job sends, are limited to 45 per mailbox; a receipt is not limited", async () => {
  const send = (event: "waiting-list-offer" | "receipt") =>
    consumeUnconfirmedMailLimits("offers.to.one@gmail.com", event);
  for (let number = 0; number < 45; number += 1)
    expect([number, await send("waiting-list-offer")]).toEqual([number, true]);
  expect(await send("waiting-list-offer")).toBe(false);
  expect(await send("receipt")).toBe(true);
});
