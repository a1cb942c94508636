import type { AnswerSection } from "../intake/answers.ts";

/** What the consultant reads of a family's intake form during a call; null where there is none. Instants are ISO 8601, UTC. */
export type CallIntakeForm = { updatedAt: string; sections: AnswerSection[] } | null;
