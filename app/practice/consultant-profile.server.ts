import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { env } from "../env.server.ts";
import { OperatorError } from "../operator-error.ts";
import type { ConsultantProfile } from "./site.ts";

const MAX_PORTRAIT_BYTES = 200 * 1024;
const PORTRAIT_FOLDER = "/portrait/";

/** The first bytes of each accepted picture, in hex. */
const SIGNATURES: readonly (readonly [type: string, signature: RegExp])[] = [
  ["image/jpeg", /^ffd8ff/],
  ["image/png", /^89504e470d0a1a0a/],
  ["image/webp", /^52494646.{8}57454250/],
];

/** Sample content of a local start; a public site shows nobody until somebody is named. */
const SAMPLE: ConsultantProfile = {
  name: "Dana Harbor",
  bio: "For more than ten years I have sat beside parents at kitchen tables, in school offices and in waiting rooms. I read the long reports, so you don't have to read them alone. We stop when you know your next step.",
  license: "Bachelor's in psychology · Master's in applied behavior analysis",
  portrait: "/static/portrait.svg",
};

export type Portrait = { url: string; type: string; bytes: Buffer };

/** The picture of CONSULTANT_PORTRAIT, read once at start; null where none is set. */
export const portrait = env.consultant.portraitFile === null ? null : readPortrait(env.consultant.portraitFile);

/** Who families talk to; null where a public site names nobody. */
export const consultant: ConsultantProfile | null = findConsultant();

function findConsultant(): ConsultantProfile | null {
  const { name, bio, license } = env.consultant;
  if (name === null) return env.isPublic ? null : SAMPLE;
  return { name, bio: bio ?? "", license: license ?? "", portrait: portrait?.url ?? null };
}

/** The URL names the content, so that browsers may cache it for good. Throws OperatorError for what is no small picture. */
function readPortrait(file: string): Portrait {
  const bytes = readPicture(file);
  const head = bytes.toString("hex", 0, 12);
  const type = SIGNATURES.find(([, signature]) => signature.test(head))?.[0];
  if (bytes.length > MAX_PORTRAIT_BYTES || !type)
    throw new OperatorError(
      `CONSULTANT_PORTRAIT must be a JPEG, PNG or WebP picture of at most 200 KB; ${file} is not.`,
    );
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return { url: `${PORTRAIT_FOLDER}${hash}.${type.slice("image/".length)}`, type, bytes };
}

function readPicture(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new OperatorError(`CONSULTANT_PORTRAIT must name a file that this account can read; ${file} is not.`);
  }
}
