import { now } from "../clock.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import type { MessageContent } from "./message-content.ts";
import { applyWording, hasAllPlaceholders, type Wording } from "./wording.ts";
import type { WordingName } from "../wording-names.ts";

/** Returns the message as it is stored: in the consultant's wording, if she has written one for it. */
export async function applyEditedWording(transaction: Transaction, content: MessageContent): Promise<MessageContent> {
  const { wording, ...plain } = content;
  if (!wording) return plain;
  const editedWording = await findEditedWording(wording.name, transaction);
  if (!editedWording || !hasAllPlaceholders(editedWording, wording.needs ?? [])) return plain;
  const { wording: _, ...stored } = applyWording(content, editedWording, env.practice);
  return stored;
}

/** Returns the consultant's wording of a message, or null if it has its default text. */
export async function findEditedWording(
  name: WordingName,
  client: Transaction | typeof db = db,
): Promise<Wording | null> {
  return client.messageWording.findUnique({ where: { name }, select: { subject: true, body: true } });
}

/** Returns the names of the messages that have a wording written by the consultant. */
export async function listEditedWordings(): Promise<string[]> {
  const rows = await db.messageWording.findMany({ select: { name: true } });
  return rows.map(({ name }) => name);
}

/** Stores the wording of a message. It is used for messages created afterward. Null restores the default text. */
export async function writeWording(
  transaction: Transaction,
  name: WordingName,
  wording: Wording | null,
): Promise<void> {
  if (!wording) return void (await transaction.messageWording.deleteMany({ where: { name } }));
  const data = { ...wording, updatedAt: now() };
  await transaction.messageWording.upsert({ where: { name }, create: { name, ...data }, update: data });
}
