import { randomBytes } from "node:crypto";

const HASH_ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Salt and digest of bcrypt, after "$2b$11$". */
const HASH_CHARACTERS = 53;

/**
 * A bcrypt hash of no known password, another one each time, so that sign-ins which wait for a code see the change.
 * Comparing it takes as long as any.
 */
export function createUnusableHash(): string {
  const characters = [...randomBytes(HASH_CHARACTERS)].map((byte) => HASH_ALPHABET[byte % HASH_ALPHABET.length]);
  return `$2b$11$${characters.join("")}`;
}
