import type { z } from "zod";
import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { inTransaction } from "../../db/database-client.server.ts";
import { scanForViruses, recordScanRefusal } from "../../files/virus-scan.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import { sanitizePortraitImage, writeConsultantProfile } from "../../practice/consultant-profile.server.ts";
import { MAX_PORTRAIT_KB } from "../../practice/portrait-limits.ts";
import { refreshSettingsAndPageCaches } from "../../practice/practice-settings.server.ts";
import type { consultantProfileSchema } from "./consultant-profile-schema.ts";

const NOT_A_PICTURE_MESSAGE = `Please choose a JPEG, PNG or WebP picture of at most ${MAX_PORTRAIT_KB} KB. If it is one, it may be damaged: open it, save a new copy, and choose that.`;

/**
 * Sets the consultant's name, text, license line and portrait, which all pages show from then on. Without `picture` the
 * portrait stays, unless `removePortrait` is set. Refusals: invalid (`portrait`) for a file that is not a small picture
 * or may contain a virus; unavailable when the scanner can't be reached. Only for the administrator; throws for anyone
 * else.
 */
export async function setConsultantProfile(
  person: Person,
  { name, bio, license, removePortrait }: z.output<typeof consultantProfileSchema>,
  picture: Buffer | null,
): Promise<Outcome<null>> {
  assertAdministrator(person);
  const newPortrait = picture && sanitizePortraitImage(picture);
  if (picture && !newPortrait) return refused("invalid", NOT_A_PICTURE_MESSAGE, { portrait: [NOT_A_PICTURE_MESSAGE] });
  const virusRefusal = picture && (await scanPortraitForViruses(person, picture));
  if (virusRefusal) return virusRefusal;
  const portrait = newPortrait ?? (removePortrait ? null : undefined);
  await inTransaction(async (transaction) => {
    await writeConsultantProfile(transaction, { name, bio: bio ?? null, license: license ?? null, portrait });
    recordAuditInTransaction(transaction, { action: "practice-settings-changed" });
  });
  await refreshSettingsAndPageCaches();
  return accepted(null);
}

async function scanPortraitForViruses(person: Person, picture: Buffer): Promise<Refusal | null> {
  try {
    for await (const bytes of scanForViruses([picture])) void bytes;
    return null;
  } catch (error) {
    const refusal = await recordScanRefusal(error, person.id, "portrait");
    if (!refusal) throw error;
    return refusal;
  }
}
