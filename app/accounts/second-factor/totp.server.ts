import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_MS = 30_000;
const CODE_DIGITS = 6;
const BASE32_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** Accepted steps: a phone's clock may be one step ahead or behind. */
const ACCEPTED_STEP_OFFSETS = [0, -1, 1];

/** Returns the code of an authenticator app at one step (RFC 6238 with HMAC-SHA-1 and six digits). */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, "0");
}

/** Returns the step whose code this is, within one step (30 s) of `time`; null for any other code. */
export function findTimeStep(secret: Buffer, code: string, time: Date): number | null {
  const current = Math.floor(time.getTime() / STEP_MS);
  const codeBytes = Buffer.from(code);
  const isCodeOfStep = (step: number) => timingSafeEqual(Buffer.from(totpCode(secret, step)), codeBytes);
  return codeBytes.length === CODE_DIGITS
    ? (ACCEPTED_STEP_OFFSETS.map((each) => current + each).find(isCodeOfStep) ?? null)
    : null;
}

/** Encodes bytes in base32 without padding (RFC 4648), as authenticator apps read it. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((bitGroup) => BASE32_ALPHABET[Number.parseInt(bitGroup.padEnd(5, "0"), 2)])
    .join("");
}
