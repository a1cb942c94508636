import type { VisitAnswers } from "../booking/visit-answers/visit-question-texts.ts";
import type { ChildProfile } from "../intake/child-profile.ts";

/** A family in short, for the consultant alone; days are of the practice's zone, instants ISO 8601 UTC. */
export type VisitBriefing = {
  familyId: number;
  /** Null without an intake form. */
  profile: Pick<ChildProfile, "child" | "school" | "concerns"> | null;
  /** To the questions before this visit; null without. */
  answers: VisitAnswers | null;
  lastNote: { text: string; createdAt: string } | null;
  /** The open ones, as far as they are listed. */
  followUps: { id: number; text: string; dueDay: string; isDue: boolean }[];
  moreFollowUps: number;
  /** The family's uploads that she has not opened, as far as they are listed. */
  documents: { id: number; fileName: string }[];
  moreDocuments: number;
  /** What is unpaid of visits up to today, in US dollars. */
  due: string | null;
};
