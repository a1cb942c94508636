import type { MessageContent } from "./message-content.ts";

/** A text of the consultant's that takes the place of a message's own: paragraphs are divided by empty lines. */
export type Wording = { subject: string; body: string };

type Practice = { name: string; phone: string; email: string };

/** The paragraph that stands for the button. */
export const LINK_PARAGRAPH = "{link}";
/** What everybody may read on a lock screen: no amount and no name. */
const SUBJECT_PLACEHOLDERS = ["when", "it was on", "what changed", "practice"];

const PLACEHOLDER = /\{([^{}]*)\}/g;
/** With the comma or space before it, which goes when there is no name. */
const FIRST_NAME = /,?[^\S\n]*\{first name\}/g;

/** The value of each placeholder that can stand in a message's text, by its name without braces. */
export function placeholderValues(content: MessageContent, practice: Practice): Record<string, string> {
  const facts = (content.wording?.hasListOfFacts ? [] : (content.facts ?? [])).map(({ label, value }) => [
    label.toLowerCase(),
    value,
  ]);
  return {
    "first name": content.firstName ?? "",
    ...Object.fromEntries(facts),
    ...content.wording?.values,
    practice: practice.name,
    phone: practice.phone,
    email: practice.email,
  };
}

/** The message's own text, as it can be edited: every value is a placeholder again. */
export function defaultWording(content: MessageContent, practice: Practice): Wording {
  const { "first name": _, ...values } = placeholderValues(content, practice);
  const longestFirst = Object.entries(values)
    .filter(([, value]) => value !== "")
    .toSorted(([, one], [, other]) => other.length - one.length);
  const toTemplate = (text: string) =>
    longestFirst.reduce((result, [name, value]) => result.replaceAll(value, `{${name}}`), text);
  const { subject, paragraphs, action, closing = [] } = content;
  const body = [...paragraphs.map(toTemplate), ...(action ? [LINK_PARAGRAPH] : []), ...closing.map(toTemplate)];
  return { subject: toTemplate(subject), body: body.join("\n\n") };
}

/**
 * The message with the consultant's text in place of its own. What stands before `{link}` goes above its details and its
 * button, the rest below. A paragraph of which nothing is left is left out, and so is the button without `{link}`.
 */
export function applyWording(content: MessageContent, { subject, body }: Wording, practice: Practice): MessageContent {
  const values = placeholderValues(content, practice);
  const fill = (text: string) => fillPlaceholders(text, values);
  const fillAll = (texts: string[]) => texts.map(fill).filter((text) => text !== "");
  const paragraphs = splitParagraphs(body);
  const linkAt = paragraphs.indexOf(LINK_PARAGRAPH);
  const { action, ...rest } = content;
  return {
    ...rest,
    subject: fill(subject),
    paragraphs: fillAll(linkAt === -1 ? paragraphs : paragraphs.slice(0, linkAt)),
    ...(action && linkAt !== -1 && { action }),
    closing: linkAt === -1 ? [] : fillAll(paragraphs.slice(linkAt + 1)),
  };
}

/** Whether each of the placeholders stands in the wording. */
export function hasPlaceholders({ subject, body }: Wording, names: readonly string[]): boolean {
  return names.every((name) => `${subject}\n${body}`.includes(`{${name}}`));
}

/** What is wrong with the placeholders of a wording, as a sentence for the field; null where nothing is. */
export function wordingProblem(
  { subject, body }: Wording,
  { allowed, required }: { allowed: readonly string[]; required: readonly string[] },
): { field: "subject" | "body"; message: string } | null {
  const inSubject = SUBJECT_PLACEHOLDERS.filter((name) => allowed.includes(name));
  const [strangeSubject, strange] = [findUnknown(subject, inSubject), findUnknown(body, allowed)];
  if (strangeSubject !== null)
    return {
      field: "subject",
      message: `${strangeSubject} can’t stand in the subject. There you can use ${listOf(inSubject)}.`,
    };
  if (strange !== null)
    return { field: "body", message: `This message has no ${strange}. You can use ${listOf(allowed)}.` };
  const links = body.split(LINK_PARAGRAPH).length - 1;
  const isAlone = splitParagraphs(body).includes(LINK_PARAGRAPH);
  if (links > 1 || (links === 1 && !isAlone))
    return { field: "body", message: "Put {link} once, as a paragraph of its own: it becomes the button." };
  const missing = required.find((name) => !body.includes(`{${name}}`));
  return missing === undefined
    ? null
    : { field: "body", message: `The text needs {${missing}}: without it, families miss something they must know.` };
}

/** The first thing in braces that is no placeholder of these, or a single brace. */
function findUnknown(text: string, allowed: readonly string[]): string | null {
  for (const [whole, name = ""] of text.matchAll(PLACEHOLDER)) if (!allowed.includes(name)) return whole.slice(0, 60);
  return /[{}]/.exec(text.replace(PLACEHOLDER, ""))?.[0] ?? null;
}

function fillPlaceholders(text: string, values: Record<string, string>): string {
  const named = values["first name"] ? text : text.replace(FIRST_NAME, "");
  return named
    .replace(PLACEHOLDER, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))
    .trim();
}

function splitParagraphs(body: string): string[] {
  return body
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

const listOf = (names: readonly string[]) => names.map((name) => `{${name}}`).join(", ");
