import type { AnswerSection } from "../intake/intake-answers.ts";

/**
 * The intake form of a family as shown to the consultant during a call; null if there is none. Instants are ISO 8601,
 * UTC.
 */
export type CallIntakeForm = { updatedAt: string; sections: AnswerSection[] } | null;
