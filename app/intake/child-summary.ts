import type { IntakeForm } from "./intake-forms.server.ts";

const IEP_LABELS: Record<string, string> = { yes: "IEP: yes", no: "IEP: no", in_process: "IEP: in process" };

export type ChildSummary = ReturnType<typeof summarizeChild>;

/** Returns what the administrator needs to know about a family's child right before a visit, from its intake form. */
export function summarizeChild(form: IntakeForm) {
  const { childName, childAge, diagnosis, schoolName, gradeLevel, iepStatus, primaryConcerns, otherConcerns } = form;
  return {
    child: [`${childName}, ${childAge}`, diagnosis].filter(Boolean).join(" · "),
    school: [schoolName, gradeLevel && gradeText(gradeLevel), IEP_LABELS[iepStatus ?? ""]].filter(Boolean).join(" · "),
    preferredContact: form.preferredContactMethod === "email" ? ("email" as const) : ("phone" as const),
    concerns: [...primaryConcerns, ...(otherConcerns ? [otherConcerns] : [])],
  };
}

/** Returns "grade 3" for "3" and "3rd grade" for "3rd"; any other text as entered, such as "Kindergarten". */
function gradeText(gradeLevel: string): string {
  if (/^\d+$/.test(gradeLevel)) return `grade ${gradeLevel}`;
  return /^\d+(st|nd|rd|th)$/i.test(gradeLevel) ? `${gradeLevel} grade` : gradeLevel;
}
