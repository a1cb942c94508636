import type { WordingName } from "../wording-names.ts";

/** A message as it is stored. Mail, its plain-text twin and the page in the portal are made from it. */
export type MessageContent = {
  /** Seen on lock screens and by mail providers: names neither a child, a diagnosis, a service nor an amount. */
  subject: string;
  /** The line that mailboxes show beside the subject; the same holds for it. */
  preview: string;
  /** Left out where the address is not confirmed: a stranger could have typed the name. */
  firstName?: string;
  /** Nobody has shown that the address is the recipient's: the mail says what to do if it isn't for its reader. */
  mayReachStranger?: true;
  paragraphs: string[];
  facts?: { label: string; value: string }[];
  /** A path of this site; null: the message's secret path, which is in the mail only. */
  action?: { label: string; path: string | null };
  /** A path of this site that is offered as a plain link below the button. */
  moreLink?: { label: string; path: string };
  closing?: string[];
  /**
   * Under which name the consultant may have written another text, and the values of its placeholders that are neither in
   * the facts nor the same in all messages; with `hasListOfFacts` the facts are as many as there is to tell, and no
   * placeholders. A wording without all of the placeholders in `needs` would be false here: the message keeps its own
   * text. Not stored.
   */
  wording?: { name: WordingName; values?: Record<string, string>; hasListOfFacts?: true; needs?: string[] };
};

export function greetingOf({ firstName }: MessageContent): string {
  return firstName ? `Hello ${firstName},` : "Hello,";
}
