// Proves the codes of authenticator apps against the examples of RFC 6238.
import { expect, test } from "vitest";
import { findTimeStep, toBase32, totpCode } from "../../app/accounts/second-factor/totp.server.ts";

const SECRET = Buffer.from("12345678901234567890");

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("the code at %i seconds is %s", (seconds, code) => {
  expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code);
  expect(findTimeStep(SECRET, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
});

test("a code is accepted one time step early or late, and no further", () => {
  const at = (steps: number) => findTimeStep(SECRET, totpCode(SECRET, 1000 + steps), new Date(1000 * 30_000));
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, 999, 1000, 1001, null]);
});

test("text that is not a code of six ASCII digits is never accepted, whatever its length", () => {
  for (const code of ["", "1", "28708", "2870820", "２８７０８２", "x".repeat(1000)])
    expect(findTimeStep(SECRET, code, new Date(59_000))).toBe(null);
});

test("a secret is encoded in base32 as defined by RFC 4648", () => {
  expect(["f", "fo", "foo", "foobar"].map((text) => toBase32(Buffer.from(text)))).toEqual([
    "MY",
    "MZXQ",
    "MZXW6",
    "MZXW6YTBOI",
  ]);
});
