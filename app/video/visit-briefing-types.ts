import type { VisitAnswers } from "../booking/visit-answers/visit-question-texts.ts";
import type { ChildSummary } from "../intake/child-summary.ts";

/** Summary of a family, for the consultant only. Days are in the practice's time zone; instants are ISO 8601, UTC. */
export type VisitBriefing = {
  familyId: number;
  /** Null if there is no intake form. */
  profile: Pick<ChildSummary, "child" | "school" | "concerns"> | null;
  /** Answers to the questions asked before this visit; null if there are none. */
  answers: VisitAnswers | null;
  lastNote: { text: string; createdAt: string } | null;
  /** The first 10 open follow-ups; `moreFollowUps` is the number of the others. */
  followUps: { id: number; text: string; dueDay: string; isDue: boolean }[];
  moreFollowUps: number;
  /**
   * The newest 10 uploads of the family that the consultant has not opened; `moreDocuments` is the number of the
   * others.
   */
  documents: { id: number; fileName: string; virusText: string | null }[];
  moreDocuments: number;
  /** What is not paid of visits that have begun, in US dollars, as text; null if nothing is due. */
  amountDueText: string | null;
  /** What is to be paid for later visits of today, in US dollars, as text. */
  upcomingAmount: string | null;
};
