import type { Answers } from "./intake-questions.ts";
import { type SectionName, INTAKE_SECTIONS } from "./intake-sections.ts";
import { sectionSchemas } from "./intake-schemas.ts";

/** Saved answers by section. Sections that were never saved are absent. */
export type IntakeDraft = Partial<Record<SectionName, { values: Answers; isDone: boolean }>>;

export type SectionStatus = "Not started" | "In progress" | "Completed";

export type SectionProgress = { name: SectionName; title: string; status: SectionStatus }[];

export function sectionProgress(draft: IntakeDraft): SectionProgress {
  return INTAKE_SECTIONS.map(({ name, title }) => ({ name, title, status: sectionStatus(draft, name) }));
}

function sectionStatus(draft: IntakeDraft, name: SectionName): SectionStatus {
  const section = draft[name];
  if (!section) return "Not started";
  return section.isDone && sectionSchemas[name].safeParse(section.values).success ? "Completed" : "In progress";
}

/** Returns the step after `currentSection`: the next section that is not complete, or the review of all answers. */
export function nextIntakeStep(progress: SectionProgress, currentSection?: SectionName): SectionName | "check" {
  const start = progress.findIndex(({ name }) => name === currentSection) + 1;
  const candidates = [...progress.slice(start), ...progress.slice(0, start)];
  return candidates.find(({ status }) => status !== "Completed")?.name ?? "check";
}
