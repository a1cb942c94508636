import { createHash } from "node:crypto";
import { env } from "../../env.server.ts";
import { CHALLENGE_LIFETIME_MS } from "./passkey-challenge.server.ts";
import type { AssertionCredential, RegistrationCredential } from "./passkey-credential-schemas.ts";

/** COSE algorithms: Ed25519, ECDSA with P-256, RSA with SHA-256. Every device supports at least one. */
const ALGORITHMS = [-8, -7, -257];
const TRANSPORTS = ["usb", "nfc", "ble", "hybrid", "internal"];
/**
 * Maximum counter: the database stores 31 of its 32 bits. No device reaches it: that takes one use a second for 68
 * years.
 */
const MAX_COUNTER = 2 ** 31 - 1;

/** The public key with which the responses of a passkey are verified. Bytes are base64url. */
export type PublicCredential = { credentialId: string; publicKey: string; counter: number; transports: string };
/** The options that a browser reads, including the challenge. */
export type PasskeyOptions = { challenge: string; [option: string]: unknown };
type Owner = { id: number; createdAt: Date };

/** Loads the library when the first passkey is used, because it contains a certificate parser. */
const loadLibrary = () => import("@simplewebauthn/server");

/**
 * Returns the host of the configured origin. A passkey of another site does not match it, whatever Host header a
 * request has.
 */
const rpId = () => new URL(env.origin).hostname;

/**
 * Returns the options with which a browser creates a passkey. `existingCredentials` are the person's own passkeys, which can't be
 * added again.
 */
export async function buildCreationOptions(
  owner: Owner & { email: string; name: string },
  challenge: string,
  existingCredentials: readonly Pick<PublicCredential, "credentialId" | "transports">[],
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
    excludeCredentials: existingCredentials.map(toCredentialDescriptor),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { ...options };
}

/**
 * Returns the options with which a browser responds to a challenge: with one of `allowedCredentials`, or if that is empty with any
 * passkey of this site.
 */
export async function buildRequestOptions(
  challenge: string,
  allowedCredentials: readonly Pick<PublicCredential, "credentialId" | "transports">[],
): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: rpId(),
    challenge: Buffer.from(challenge, "base64url"),
    timeout: CHALLENGE_LIFETIME_MS,
    allowCredentials: allowedCredentials.map(toCredentialDescriptor),
    userVerification: "required",
  });
  return { ...options };
}

/**
 * Returns the key of a new passkey; null unless it responds to `challenge`, for this site, from a device that verified
 * its user.
 */
export async function verifyNewCredential(
  credential: RegistrationCredential,
  challenge: string,
): Promise<PublicCredential | null> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { transports, ...response } = credential.response;
  if (!(await hasNoAttestationCertificates(response.attestationObject))) return null;
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
 * Returns the counter of a passkey's response; null unless it responds to `challenge`, for this site, with the key of
 * `storedCredential`, from a device that verified its user. The caller compares the counter.
 */
export async function verifyAssertionAndReadCounter(
  { response, ...assertion }: AssertionCredential,
  challenge: string,
  storedCredential: Pick<PublicCredential, "credentialId" | "publicKey"> & { owner: Owner },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { userHandle: handle, ...signed } = response;
  if (handle && handle !== Buffer.from(userHandle(storedCredential.owner)).toString("base64url")) return null;
  const verified = await verifyAuthenticationResponse({
    response: { ...assertion, response: signed, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: env.origin,
    expectedRPID: rpId(),
    credential: {
      id: storedCredential.credentialId,
      publicKey: new Uint8Array(Buffer.from(storedCredential.publicKey, "base64url")),
      // Disables the library's own comparison, which can't distinguish a cloned device from any other error.
      counter: 0,
    },
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified ? Math.min(verified.authenticationInfo.newCounter, MAX_COUNTER) : null;
}

/**
 * Checks that a new key comes without the manufacturer's certificates. We request none, and verifying them would fetch
 * URLs that they contain.
 */
async function hasNoAttestationCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")));
    const format = attestation.get("fmt");
    return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}

/** Returns the id of the account for the device. It does not reveal whose account it is. */
function userHandle({ id, createdAt }: Owner): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(`passkeys of ${id} ${createdAt.toISOString()}`).digest());
}

function toCredentialDescriptor({ credentialId, transports }: Pick<PublicCredential, "credentialId" | "transports">) {
  return { id: credentialId, transports: transports.split(" ").filter(Boolean) };
}
