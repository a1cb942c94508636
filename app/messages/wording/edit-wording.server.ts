import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { notifyAccountChanged } from "../../accounts/email/account-notifications.server.ts";
import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { inTransaction } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { renderMessageHtml, renderMessageText } from "../../mail/render-message.ts";
import { applyWording, defaultWording, placeholderValues, type Wording } from "../../mail/wording.ts";
import { buildWordingSamples } from "../../mail/wording-samples.ts";
import { WORDING_NAMES, type WordingName } from "../../wording-names.ts";
import { findEditedWording, listEditedWordings, writeWording } from "../../mail/wording.server.ts";

/** Returns the messages whose wording can be edited, and which of them the consultant has edited. */
export async function listEditableWordings() {
  const [edited, samples] = [await listEditedWordings(), buildWordingSamples(env.practice)];
  return WORDING_NAMES.map((name) => {
    const { title, triggerDescription } = samples[name];
    return { name, title, triggerDescription, isEdited: edited.includes(name) };
  });
}

/** Returns the current wording of a message, and its allowed placeholders. */
export async function findEditableWording(name: WordingName) {
  const { title, triggerDescription, content } = buildWordingSamples(env.practice)[name];
  const edited = await findEditedWording(name);
  const values = placeholderValues(content, env.practice);
  const { allowed, required } = getPlaceholderRules(name);
  return {
    title,
    triggerDescription,
    isEdited: edited !== null,
    wording: edited ?? defaultWording(content, env.practice),
    buttonLabel: content.action?.label ?? null,
    placeholders: allowed.map((placeholder) => ({
      name: placeholder,
      sample: placeholder === "link" ? null : (values[placeholder] ?? ""),
      isRequired: required.includes(placeholder),
    })),
  };
}

/**
 * Returns the names of the allowed and the required placeholders of a message, and the only host to which it may link.
 */
export function getPlaceholderRules(name: WordingName): { allowed: string[]; required: string[]; ownHost: string } {
  const { content, required = [] } = buildWordingSamples(env.practice)[name];
  const names = Object.keys(placeholderValues(content, env.practice));
  return {
    allowed: [
      ...names.filter((each) => each !== "first name" || content.firstName !== undefined),
      ...(content.action ? ["link"] : []),
    ],
    // If the link is only in the email message, the message is useless without it.
    required: [...required, ...(content.action?.path === null ? ["link"] : [])],
    ownHost: new URL(env.origin).host,
  };
}

/** Returns the sample of a message in this wording as an email message. The button leads to the public page. */
export function renderWordingSample(
  name: WordingName,
  wording: Wording,
): { subject: string; html: string; text: string } {
  const { content } = buildWordingSamples(env.practice)[name];
  const { wording: _, ...worded } = applyWording(content, wording, env.practice);
  const options = { practice: env.practice, origin: env.origin, actionUrl: env.origin, unsubscribe: null };
  return {
    subject: worded.subject,
    html: renderMessageHtml(worded, options),
    text: renderMessageText(worded, options),
  };
}

/**
 * Stores the consultant's wording of a message, for all messages written later. Null restores the default wording. A
 * wording that equals the default is not stored. Notifies the consultant by mail. Only for the administrator.
 */
export async function saveWordingAndNotify(person: Person, name: WordingName, wording: Wording | null): Promise<void> {
  assertAdministrator(person);
  const defaultText = defaultWording(buildWordingSamples(env.practice)[name].content, env.practice);
  const isDefault = wording === null || (wording.subject === defaultText.subject && wording.body === defaultText.body);
  await inTransaction(async (transaction) => {
    await writeWording(transaction, name, isDefault ? null : wording);
    recordAuditInTransaction(transaction, { action: `wording-changed-${name}` });
    await notifyAccountChanged(transaction, person.id, "wording-changed");
  });
}
