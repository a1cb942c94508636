import { randomBytes } from "node:crypto";

const HASH_ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Number of characters of bcrypt's salt and digest, after "$2b$11$". */
const SALT_AND_DIGEST_LENGTH = 53;

/** Returns a bcrypt hash of no known password. Comparing it takes as long as comparing any other hash. */
export function createUnusableHash(): string {
  const characters = [...randomBytes(SALT_AND_DIGEST_LENGTH)].map((byte) => HASH_ALPHABET[byte % HASH_ALPHABET.length]);
  return `$2b$11$${characters.join("")}`;
}
