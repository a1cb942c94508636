import { db } from "../../db/database-client.server.ts";
import type { LinkSource } from "../links/rate-limited-link-lookup.server.ts";
import { checkConfirmationLink } from "./confirm-email.server.ts";

const LINK_PATH_PATTERN = /^\/confirm-email\/([^/?]+)$/;

/**
 * Returns the masked current address of the account whose change of address is confirmed at `path`; null for other
 * pages. The address is masked because the holder of the link has only shown access to the new mailbox.
 */
export async function findMaskedEmailForConfirmationPath(path: string, source: LinkSource): Promise<string | null> {
  const token = LINK_PATH_PATTERN.exec(path)?.[1];
  const link = token === undefined ? null : await checkConfirmationLink(token, source);
  if (!link?.ok || !link.value.isChange) return null;
  const user = await db.user.findUnique({ where: { id: link.value.userId }, select: { email: true } });
  return user && maskAddress(user.email);
}

/** Returns the first character of the address and its domain. */
function maskAddress(email: string): string {
  const [first = ""] = email;
  return `${first}…${email.slice(email.lastIndexOf("@"))}`;
}
