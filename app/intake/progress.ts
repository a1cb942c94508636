import type { Answers } from "./questions.ts";
import { type SectionName, SECTIONS } from "./sections.ts";
import { sectionSchemas } from "./schema.ts";

/** What a person has typed so far, by section; a section that was never saved is absent. */
export type IntakeDraft = Partial<Record<SectionName, { values: Answers; isDone: boolean }>>;

export type SectionStatus = "Not started" | "In progress" | "Completed";

export type Progress = { name: SectionName; title: string; status: SectionStatus }[];

export function sectionProgress(draft: IntakeDraft): Progress {
  return SECTIONS.map(({ name, title }) => ({ name, title, status: sectionStatus(draft, name) }));
}

function sectionStatus(draft: IntakeDraft, name: SectionName): SectionStatus {
  const section = draft[name];
  if (!section) return "Not started";
  return section.isDone && sectionSchemas[name].safeParse(section.values).success ? "Completed" : "In progress";
}

/** Where *Save and continue* leads: the next section that is not completed, from here on, or the check of all answers. */
export function nextStep(progress: Progress, current?: SectionName): SectionName | "check" {
  const start = progress.findIndex(({ name }) => name === current) + 1;
  const candidates = [...progress.slice(start), ...progress.slice(0, start)];
  return candidates.find(({ status }) => status !== "Completed")?.name ?? "check";
}
