import { createHmac } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import type { TestClient } from "./http-client.ts";

/** The code that a phone shows for a base32 secret, some steps of 30 seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  const bits = [...secret].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const bytes = (bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(currentStep() + steps, 4);
  const digest = createHmac("sha1", Buffer.from(bytes)).update(counter).digest();
  const offset = (digest[19] ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

function currentStep(): number {
  return Math.floor(Date.now() / 30_000);
}

/** A code that is not right, now or one step before or after. */
export function wrongCodeOf(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !right.includes(code)) ?? "";
}

/** Sets up the second step; the code of one step ago is used up by it. */
export async function turnOnSecondFactor(client: TestClient, password: string, headers: OutgoingHttpHeaders = {}) {
  const begun = await client.post("/api/auth/second-factor", { password }, headers);
  if (begun.status !== 201) throw new Error(`The second step was not begun: ${begun.status} ${begun.text}`);
  const { secret } = begun.json as { secret: string };
  const step = currentStep();
  const confirm = () => client.post("/api/auth/second-factor/confirm", { code: codeOf(secret, -1) }, headers);
  let confirmed = await confirm();
  // The code was one of two steps ago when it arrived.
  if (confirmed.status !== 200 && currentStep() !== step) confirmed = await confirm();
  if (confirmed.status !== 200) throw new Error(`The second step was not turned on: ${confirmed.text}`);
  return { secret, recoveryCodes: confirmed.json.recoveryCodes as string[] };
}
