import type { MessageContent } from "./message-content.ts";

/** A text written by the consultant that replaces a message's default text. Paragraphs are separated by empty lines. */
export type Wording = { subject: string; body: string };

type Practice = { name: string; phone: string; email: string };

/** The paragraph that is replaced by the button. */
export const LINK_PARAGRAPH = "{link}";
/** Placeholders that are allowed in the subject, because anyone may read it on a lock screen: no amount and no name. */
const SUBJECT_PLACEHOLDERS = ["when", "it was on", "what changed", "practice"];

const PLACEHOLDER_PATTERN = /\{([^{}]*)\}/g;
/** Matches the placeholder with the comma or space before it, which is removed too when there is no name. */
const FIRST_NAME_PATTERN = /,?[^\S\n]*\{first name\}/g;

/** Returns the value of each placeholder that a message's text can contain, by its name without braces. */
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

/**
 * Returns the message's default text in the form in which it can be edited: every value is replaced by its placeholder.
 */
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
 * Replaces the message's text with the consultant's. Paragraphs before `{link}` are placed above the details and the
 * button, the others below. A paragraph that is empty after filling in the values is left out, and so is the button if
 * there is no `{link}`.
 */
export function applyWording(content: MessageContent, { subject, body }: Wording, practice: Practice): MessageContent {
  const values = placeholderValues(content, practice);
  const fill = (text: string) => fillPlaceholders(text, values);
  const fillAll = (texts: string[]) => texts.map(fill).filter((text) => text !== "");
  const paragraphs = splitParagraphs(body);
  const linkIndex = paragraphs.indexOf(LINK_PARAGRAPH);
  const { action, ...rest } = content;
  return {
    ...rest,
    subject: fill(subject),
    paragraphs: fillAll(linkIndex === -1 ? paragraphs : paragraphs.slice(0, linkIndex)),
    ...(action && linkIndex !== -1 && { action }),
    closing: linkIndex === -1 ? [] : fillAll(paragraphs.slice(linkIndex + 1)),
  };
}

/** Checks whether the wording contains all of the placeholders. */
export function hasAllPlaceholders({ subject, body }: Wording, names: readonly string[]): boolean {
  return names.every((name) => `${subject}\n${body}`.includes(`{${name}}`));
}

/** Returns what is wrong with the placeholders of a wording as a sentence for the field, or null if nothing is. */
export function placeholderError(
  { subject, body }: Wording,
  { allowed, required }: { allowed: readonly string[]; required: readonly string[] },
): { field: "subject" | "body"; message: string } | null {
  const allowedInSubject = SUBJECT_PLACEHOLDERS.filter((name) => allowed.includes(name));
  const [unknownInSubject, unknownInBody] = [
    findUnknownPlaceholder(subject, allowedInSubject),
    findUnknownPlaceholder(body, allowed),
  ];
  if (unknownInSubject !== null)
    return {
      field: "subject",
      message: `${unknownInSubject} can’t stand in the subject. There you can use ${formatPlaceholderList(allowedInSubject)}.`,
    };
  if (unknownInBody !== null)
    return {
      field: "body",
      message: `This message has no ${unknownInBody}. You can use ${formatPlaceholderList(allowed)}.`,
    };
  const linkCount = body.split(LINK_PARAGRAPH).length - 1;
  const isOwnParagraph = splitParagraphs(body).includes(LINK_PARAGRAPH);
  if (linkCount > 1 || (linkCount === 1 && !isOwnParagraph))
    return { field: "body", message: "Put {link} once, as a paragraph of its own: it becomes the button." };
  const missingPlaceholder = required.find((name) => !body.includes(`{${name}}`));
  return missingPlaceholder === undefined
    ? null
    : {
        field: "body",
        message: `The text needs {${missingPlaceholder}}: without it, families miss something they must know.`,
      };
}

/**
 * Returns the first text in braces that is not an allowed placeholder, or a single brace. Returns null if there is
 * neither.
 */
function findUnknownPlaceholder(text: string, allowed: readonly string[]): string | null {
  for (const [whole, name = ""] of text.matchAll(PLACEHOLDER_PATTERN))
    if (!allowed.includes(name)) return whole.slice(0, 60);
  return /[{}]/.exec(text.replace(PLACEHOLDER_PATTERN, ""))?.[0] ?? null;
}

function fillPlaceholders(text: string, values: Record<string, string>): string {
  const textWithName = values["first name"] ? text : text.replace(FIRST_NAME_PATTERN, "");
  return textWithName
    .replace(PLACEHOLDER_PATTERN, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))
    .trim();
}

function splitParagraphs(body: string): string[] {
  return body
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

const formatPlaceholderList = (names: readonly string[]) => names.map((name) => `{${name}}`).join(", ");
