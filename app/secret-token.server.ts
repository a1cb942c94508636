import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** A random token for a link, 43 characters of base64url. Only its hash is stored. */
export function createSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** SHA-256 in base64url: enough for tokens of 256 random bits, which cannot be guessed from their hash. */
export function hashSecretToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
