export const MAX_ANSWER_LENGTH = 2_000;

/** The three questions before a visit, keyed by the name of their answer. */
export const VISIT_QUESTIONS = {
  important: "What matters most to you in this visit?",
  change: "What would you like to be different afterward?",
  pages: "Which pages should your consultant read ahead of time?",
} as const;

export type VisitQuestion = keyof typeof VISIT_QUESTIONS;
export type VisitAnswers = Record<VisitQuestion, string | null>;

export const QUESTION_NAMES = Object.keys(VISIT_QUESTIONS) as VisitQuestion[];
