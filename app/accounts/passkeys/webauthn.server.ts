import { createHash } from "node:crypto";
import { env } from "../../env.server.ts";
import { CHALLENGE_LIFETIME_MS } from "./challenge.server.ts";
import type { Assertion, NewCredential } from "./credential-schemas.ts";

/** Ed25519, ECDSA with P-256, RSA with SHA-256: every device supports at least one. */
const ALGORITHMS = [-8, -7, -257];
const TRANSPORTS = ["usb", "nfc", "ble", "hybrid", "internal"];
/**
 * The database stores 31 bits of the counter's 32. No device gets there: it would count a use a second for 68 years.
 */
const MAX_COUNTER = 2 ** 31 - 1;

/** A key whose answers can be verified. Bytes are base64url. */
export type PublicCredential = { credentialId: string; publicKey: string; counter: number; transports: string };
/** What a browser reads, with the challenge. */
export type PasskeyOptions = { challenge: string; [option: string]: unknown };
type Owner = { id: number; createdAt: Date };

/** Loaded when the first passkey is used: it has a parser of certificates. */
const loadLibrary = () => import("@simplewebauthn/server");

/** The host of the configured origin: a passkey of another site does not fit, whatever Host a request names. */
const rpId = () => new URL(env.origin).hostname;

/**
 * Returns the options with which a browser creates a passkey; `existing` are the person's own, which can't be added
 * again.
 */
export async function creationOptions(
  owner: Owner & { email: string; name: string },
  challenge: string,
  existing: readonly Pick<PublicCredential, "credentialId" | "transports">[],
): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpName: env.practice.name,
    rpID: rpId(),
    userID: userHandle(owner),
    userName: owner.email,
    userDisplayName: owner.name,
    challenge: Buffer.from(challenge, "base64url"),
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: "none",
    excludeCredentials: existing.map(describeCredential),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { ...options };
}

/**
 * Returns the options with which a browser answers a challenge: with one of `allowed`, or if empty with any passkey of
 * this site.
 */
export async function requestOptions(
  challenge: string,
  allowed: readonly Pick<PublicCredential, "credentialId" | "transports">[],
): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: rpId(),
    challenge: Buffer.from(challenge, "base64url"),
    timeout: CHALLENGE_LIFETIME_MS,
    allowCredentials: allowed.map(describeCredential),
    userVerification: "required",
  });
  return { ...options };
}

/** The key of a new passkey; null unless it answers `challenge`, for this site, by a device that verified its user. */
export async function verifyNewCredential(
  credential: NewCredential,
  challenge: string,
): Promise<PublicCredential | null> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { transports, ...response } = credential.response;
  if (!(await isWithoutCertificates(response.attestationObject))) return null;
  const verified = await verifyRegistrationResponse({
    response: { ...credential, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: env.origin,
    expectedRPID: rpId(),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString("base64url"),
    counter: Math.min(counter, MAX_COUNTER),
    transports: TRANSPORTS.filter((each) => transports?.includes(each)).join(" "),
  };
}

/**
 * The counter of a passkey's answer; null unless it answers `challenge`, for this site, with the key of `stored`, by a
 * device that verified its user. The caller compares the counter.
 */
export async function verifyAssertion(
  { response, ...assertion }: Assertion,
  challenge: string,
  stored: Pick<PublicCredential, "credentialId" | "publicKey"> & { owner: Owner },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { userHandle: handle, ...signed } = response;
  if (handle && handle !== Buffer.from(userHandle(stored.owner)).toString("base64url")) return null;
  const verified = await verifyAuthenticationResponse({
    response: { ...assertion, response: signed, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: env.origin,
    expectedRPID: rpId(),
    credential: {
      id: stored.credentialId,
      publicKey: new Uint8Array(Buffer.from(stored.publicKey, "base64url")),
      // The library's own comparison could not tell a copied device from any other fault.
      counter: 0,
    },
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified ? Math.min(verified.authenticationInfo.newCounter, MAX_COUNTER) : null;
}

/**
 * Whether a new key comes without a maker's certificates. We ask for none, and verifying them would fetch addresses
 * that they name.
 */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")));
    const format = attestation.get("fmt");
    return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}

/** Identifies the account to the device, without revealing whose it is. */
function userHandle({ id, createdAt }: Owner): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(`passkeys of ${id} ${createdAt.toISOString()}`).digest());
}

function describeCredential({ credentialId, transports }: Pick<PublicCredential, "credentialId" | "transports">) {
  return { id: credentialId, transports: transports.split(" ").filter(Boolean) };
}
