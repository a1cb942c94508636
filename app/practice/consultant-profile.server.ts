import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { db, type Transaction } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { OperatorError } from "../operator-error.ts";
import { stripImageMetadata } from "./strip-image-metadata.server.ts";
import { MAX_PORTRAIT_BYTES, MAX_PORTRAIT_KB } from "./portrait-limits.ts";
import type { ConsultantProfile } from "./site.ts";
import { SETTINGS_ROW_ID, writeSettingsRow } from "./practice-settings-row.server.ts";

export const PORTRAIT_PATH_PREFIX = "/portrait/";

/** The first bytes of each accepted image type, in hex. */
const IMAGE_SIGNATURES: readonly (readonly [type: string, signature: RegExp])[] = [
  ["image/jpeg", /^ffd8ff/],
  ["image/png", /^89504e470d0a1a0a/],
  ["image/webp", /^52494646.{8}57454250/],
];

/** Sample content for a local start. A public site shows no consultant until one is configured. */
const SAMPLE_PROFILE: ConsultantProfile = {
  name: "Dana Harbor",
  bio: "For more than ten years I have sat beside parents at kitchen tables, in school offices and in waiting rooms. I read the long reports, so you don't have to read them alone. We stop when you know your next step.",
  license: "Bachelor's in psychology · Master's in applied behavior analysis",
  portrait: "/static/portrait.svg",
};

/** An image with a file name derived from its content, so that browsers may cache it permanently. */
export type Portrait = { name: string; type: string; bytes: Buffer };

/** What the consultant sets on her profile page. `portrait`: null removes it, undefined keeps the current one. */
export type ConsultantProfileFields = {
  name: string;
  bio: string | null;
  license: string | null;
  portrait?: Portrait | null;
};

/** The image of CONSULTANT_PORTRAIT, read once at startup; null if not set. */
const configuredPortrait = env.consultant.portraitFile === null ? null : readPortraitFile(env.consultant.portraitFile);
const configuredProfile = getConfiguredOrSampleProfile();

let cachedProfile: ConsultantProfile | null = configuredProfile;
let storedPortrait: Portrait | null = null;

/**
 * Returns the consultant's profile as last loaded by `refreshConsultantProfileCache`; null if a public site contains no
 * personal data.
 */
export function cachedConsultantProfile(): ConsultantProfile | null {
  return cachedProfile;
}

/** Loads the profile that the consultant has set. It takes precedence over the environment variables. */
export async function refreshConsultantProfileCache(): Promise<void> {
  const row = await db.practiceSettings.findUnique({
    where: { id: SETTINGS_ROW_ID },
    select: { consultantName: true, consultantBio: true, consultantLicense: true, portraitName: true },
  });
  if (!row?.consultantName) {
    cachedProfile = configuredProfile;
    return;
  }
  cachedProfile = {
    name: row.consultantName,
    bio: row.consultantBio ?? "",
    license: row.consultantLicense ?? "",
    portrait: row.portraitName ? PORTRAIT_PATH_PREFIX + row.portraitName : null,
  };
}

/** Finds the portrait with this file name; null for any name except that of the current portrait. */
export async function findCurrentPortrait(name: string): Promise<Portrait | null> {
  if (cachedProfile?.portrait !== PORTRAIT_PATH_PREFIX + name) return null;
  if (configuredPortrait?.name === name) return configuredPortrait;
  if (storedPortrait?.name === name) return storedPortrait;
  const row = await db.practiceSettings.findFirst({
    where: { id: SETTINGS_ROW_ID, portraitName: name },
    select: { portraitBase64: true },
  });
  const portrait = row?.portraitBase64 ? sanitizePortraitImage(Buffer.from(row.portraitBase64, "base64")) : null;
  // A portrait that was stored with its metadata keeps the file name derived from that version.
  storedPortrait = portrait && { ...portrait, name };
  return storedPortrait;
}

/** Returns the image that the consultant has set; null if there is none, or if it comes from the environment. */
export async function readStoredPortrait(): Promise<Buffer | null> {
  const row = await db.practiceSettings.findUnique({
    where: { id: SETTINGS_ROW_ID },
    select: { portraitBase64: true },
  });
  return row?.portraitBase64 ? Buffer.from(row.portraitBase64, "base64") : null;
}

/** Replaces what families read about the consultant. Call `refreshSettingsAndPageCaches` after the transaction has committed. */
export async function writeConsultantProfile(
  transaction: Transaction,
  { name, bio, license, portrait: newPortrait }: ConsultantProfileFields,
): Promise<void> {
  // On the first change, the image of the environment is kept.
  const portrait = newPortrait === undefined && cachedProfile === configuredProfile ? configuredPortrait : newPortrait;
  const data = {
    consultantName: name,
    consultantBio: bio,
    consultantLicense: license,
    ...(portrait !== undefined && {
      portraitName: portrait?.name ?? null,
      portraitBase64: portrait?.bytes.toString("base64") ?? null,
    }),
  };
  await writeSettingsRow(transaction, data);
}

/**
 * Returns the image in these bytes, detected by its content and without metadata (a phone stores where a photo was
 * taken). Null for any other file, a damaged one, and one above 200 KB.
 */
export function sanitizePortraitImage(file: Buffer): Portrait | null {
  const leadingHexDigits = file.toString("hex", 0, 12);
  const type = IMAGE_SIGNATURES.find(([, signature]) => signature.test(leadingHexDigits))?.[0];
  if (!type || file.length > MAX_PORTRAIT_BYTES) return null;
  const bytes = stripImageMetadata(file, type);
  if (!bytes) return null;
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return { name: `${hash}.${type.slice("image/".length)}`, type, bytes };
}

function getConfiguredOrSampleProfile(): ConsultantProfile | null {
  const { name, bio, license } = env.consultant;
  if (name === null) return env.isPublic ? null : SAMPLE_PROFILE;
  const portrait = configuredPortrait && PORTRAIT_PATH_PREFIX + configuredPortrait.name;
  return { name, bio: bio ?? "", license: license ?? "", portrait };
}

/** Reads the portrait file of the environment. Throws OperatorError when it is not a small image. */
function readPortraitFile(file: string): Portrait {
  const portrait = sanitizePortraitImage(readPortraitBytes(file));
  if (!portrait)
    throw new OperatorError(
      `CONSULTANT_PORTRAIT must be a JPEG, PNG or WebP picture of at most ${MAX_PORTRAIT_KB} KB; ${file} is not.`,
    );
  return portrait;
}

function readPortraitBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new OperatorError(`CONSULTANT_PORTRAIT must name a file that this account can read; ${file} is not.`);
  }
}
