import { z } from "zod";
import { requiredSingleLine, requiredMultiLineText } from "../../http/field-schemas.ts";
import { placeholderError } from "../../mail/wording.ts";
import { ADD_ONS, SERVICES } from "../../practice/site-content.ts";
import { findExternalLink } from "./find-external-link.ts";
import { MAX_BODY_LENGTH, MAX_SUBJECT_LENGTH } from "./wording-limits.ts";

const HTML_TAG_PATTERN = /<\/?[a-z!][^<>]*>/i;
const AMOUNT_PATTERN = /[$€£¥]\s?\d|\d\s?(?:[$€£¥]|dollars?\b|usd\b)/i;
const AMOUNT_IN_SUBJECT_MESSAGE = "Leave amounts out of the subject: it shows on a locked phone.";
const SERVICE_IN_SUBJECT_MESSAGE = "Leave the name of a service out of the subject: it shows on a locked phone.";
const HTML_TAG_MESSAGE = "Write plain text: families would see a tag such as <b> as it is.";

/**
 * The allowed placeholders of a message. Its text must contain the `required` ones; `ownHost` is the host of this site.
 */
type PlaceholderRules = { allowed: readonly string[]; required: readonly string[]; ownHost: string };

/**
 * Builds the schema of a message's wording. Links to other sites are refused, because families would follow them as
 * links of the practice.
 */
export function createWordingSchema(placeholders: PlaceholderRules) {
  return z
    .object({
      subject: requiredSingleLine("The subject", MAX_SUBJECT_LENGTH, "Enter a subject."),
      body: requiredMultiLineText("The text", MAX_BODY_LENGTH, "Enter the text."),
    })
    .superRefine((wording, context) => {
      for (const field of ["subject", "body"] as const) {
        if (HTML_TAG_PATTERN.test(wording[field]))
          context.addIssue({ code: "custom", path: [field], message: HTML_TAG_MESSAGE });
        const link = findExternalLink(wording[field], placeholders.ownHost);
        if (link !== null)
          context.addIssue({
            code: "custom",
            path: [field],
            message: `“${link}” looks like a link to another site. Messages can link only to your own.`,
          });
      }
      if (AMOUNT_PATTERN.test(wording.subject))
        context.addIssue({ code: "custom", path: ["subject"], message: AMOUNT_IN_SUBJECT_MESSAGE });
      if (hasServiceTitle(wording.subject))
        context.addIssue({ code: "custom", path: ["subject"], message: SERVICE_IN_SUBJECT_MESSAGE });
      const placeholderIssue = placeholderError(wording, placeholders);
      if (placeholderIssue)
        context.addIssue({ code: "custom", path: [placeholderIssue.field], message: placeholderIssue.message });
    });
}

function hasServiceTitle(subject: string): boolean {
  const text = subject.toLowerCase().replace(/\s+/g, " ");
  return [...SERVICES, ...ADD_ONS].some(({ title }) => text.includes(title.toLowerCase()));
}
