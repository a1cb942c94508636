import type { IntakeForm } from "./intake.server.ts";

const IEP_LABELS: Record<string, string> = { yes: "IEP: yes", no: "IEP: no", in_process: "IEP: in process" };

export type ChildProfile = ReturnType<typeof childProfile>;

/** Returns what the administrator needs to know about a family's child right before a visit, from its intake form. */
export function childProfile(form: IntakeForm) {
  const { childName, childAge, diagnosis, schoolName, gradeLevel, iepStatus, primaryConcerns, otherConcerns } = form;
  return {
    child: [`${childName}, ${childAge}`, diagnosis].filter(Boolean).join(" · "),
    school: [schoolName, gradeLevel && gradeText(gradeLevel), IEP_LABELS[iepStatus ?? ""]].filter(Boolean).join(" · "),
    prefers: form.preferredContactMethod === "email" ? ("email" as const) : ("phone" as const),
    concerns: [...primaryConcerns, ...(otherConcerns ? [otherConcerns] : [])],
  };
}

/**
 * Returns "grade 3" for a text such as "3", which starts with a digit and does not contain "grade"; otherwise the text
 * as entered, such as "3rd grade" or "Kindergarten".
 */
function gradeText(gradeLevel: string): string {
  return /^\d/.test(gradeLevel) && !/grade/i.test(gradeLevel) ? `grade ${gradeLevel}` : gradeLevel;
}
