import type { Answers } from "./questions.ts";
import { type SectionName, SECTIONS } from "./sections.ts";
import { sectionShapes } from "./shape.ts";

/** What a person has typed so far, by section; a section that was never saved is absent. */
export type IntakeDraft = Partial<Record<SectionName, { values: Answers; isDone: boolean }>>;

export type Status = "Not started" | "In progress" | "Completed";

export type Progress = { name: SectionName; title: string; status: Status }[];

export function progressOf(draft: IntakeDraft): Progress {
  return SECTIONS.map(({ name, title }) => ({ name, title, status: statusOf(draft, name) }));
}

function statusOf(draft: IntakeDraft, name: SectionName): Status {
  const section = draft[name];
  if (!section) return "Not started";
  return section.isDone && sectionShapes[name].safeParse(section.values).success ? "Completed" : "In progress";
}

/** Where *Save and continue* leads: the next section that is not completed, from here on, or the check of all answers. */
export function stepAfter(progress: Progress, current?: SectionName): SectionName | "check" {
  const from = progress.findIndex(({ name }) => name === current) + 1;
  const ahead = [...progress.slice(from), ...progress.slice(0, from)];
  return ahead.find(({ status }) => status !== "Completed")?.name ?? "check";
}
