import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** Creates a random token for a link, 43 characters of base64url. Only its hash is stored. */
export function createSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/**
 * Returns the SHA-256 hash in base64url. A fast hash is sufficient for tokens of 256 random bits, which cannot be
 * guessed.
 */
export function hashSecretToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
