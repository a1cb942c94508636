import type { IntakeForm } from "./intake.server.ts";

const IEP_LABELS: Record<string, string> = { yes: "IEP: yes", no: "IEP: no", in_process: "IEP: in process" };

export type ChildProfile = ReturnType<typeof childProfile>;

/** What the administrator wants to know of a family right before a visit, from its intake form. */
export function childProfile(form: IntakeForm) {
  const { childName, childAge, diagnosis, schoolName, gradeLevel, iepStatus, primaryConcerns, otherConcerns } = form;
  return {
    child: [`${childName}, ${childAge}`, diagnosis].filter(Boolean).join(" · "),
    school: [schoolName, gradeLevel && gradeText(gradeLevel), IEP_LABELS[iepStatus ?? ""]].filter(Boolean).join(" · "),
    prefers: form.preferredContactMethod === "email" ? ("email" as const) : ("phone" as const),
    concerns: [...primaryConcerns, ...(otherConcerns ? [otherConcerns] : [])],
  };
}

/** "grade 3" where only the number was typed, else what was typed: "3rd grade", "Kindergarten". */
function gradeText(gradeLevel: string): string {
  return /^\d/.test(gradeLevel) && !/grade/i.test(gradeLevel) ? `grade ${gradeLevel}` : gradeLevel;
}
