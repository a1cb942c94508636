import type { WordingName } from "../wording-names.ts";

/**
 * A message as it is stored. The HTML email, its plain-text version and the page in the portal are rendered from it.
 */
export type MessageContent = {
  /**
   * Visible on lock screens and to mail providers, so it must not contain a child's name, a diagnosis, a service or an
   * amount.
   */
  subject: string;
  /** The line that mailboxes show next to the subject. The same restrictions apply. */
  preview: string;
  /** Left out if the address is not confirmed, because another person could have entered the name. */
  firstName?: string;
  /** The address is not confirmed. The email therefore says what to do if it isn't meant for its reader. */
  mayReachStranger?: true;
  paragraphs: string[];
  facts?: { label: string; value: string }[];
  /** `path` is a path of this site, or null for the message's secret path, which is only in the email. */
  action?: { label: string; path: string | null };
  /** A path of this site that is shown as a plain link below the button. */
  moreLink?: { label: string; path: string };
  closing?: string[];
  /**
   * `name` is the name of the wording that the consultant may have written for this message. `values` are the values of
   * placeholders that are neither in the facts nor the same in all messages. With `hasListOfFacts`, the facts are a
   * list of any length and are not placeholders. A wording without all placeholders in `needs` would be incorrect for
   * this message, so the message keeps its default text. Not stored.
   */
  wording?: { name: WordingName; values?: Record<string, string>; hasListOfFacts?: true; needs?: string[] };
};

export function greetingOf({ firstName }: MessageContent): string {
  return firstName ? `Hello ${firstName},` : "Hello,";
}
