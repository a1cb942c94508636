import type { SubmissionResult } from "@conform-to/react";
import { data, redirect, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { validateFields } from "../accounts/define-endpoint.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { redirectWithFlash, flashNow } from "../accounts/sessions/flash.server.ts";
import { recordAuditRead } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { outageRefusal, logError } from "../http/errors.server.ts";
import { fieldNames, readNamedFormFields } from "../http/form.server.ts";
import { type Refusal, HTTP_STATUS } from "../http/outcome.ts";
import { formatAge } from "./format-age.ts";
import { formatAnswers, parseSectionAnswers } from "./intake-answers.ts";
import { findIntakeDraft, saveIntakeDraftSection } from "./intake-draft.server.ts";
import { findIntakeFormId, submitIntakeForm } from "./intake-forms.server.ts";
import { type IntakeDraft, sectionProgress, nextIntakeStep } from "./section-progress.ts";
import { type Answers, type FieldName, type Question, INTAKE_QUESTIONS } from "./intake-questions.ts";
import { findIntakeSection, type IntakeSection, intakeStepPath } from "./intake-sections.ts";
import { intakeFormSchema, sectionSchemas } from "./intake-schemas.ts";

type Context = Readonly<RouterContextProvider>;

const BIRTHDAY_UNREADABLE_MESSAGE =
  "We can’t read this birthday. Write it like March 14, 2017, or enter the child’s age here.";

const SUBMISSION_FAILED_NOTICE = {
  title: "Submission Failed",
  description: "Failed to submit intake form.",
  style: "destructive",
} as const;

/**
 * Returns the loader data of `<IntakeWizard>` on the page `base`. `?step=` names a section, or `check` for all answers;
 * without it, the list of sections is returned. For the signed-in family only.
 */
export async function loadIntakeWizard(context: Context, request: Request, { base }: { base: string }) {
  const person = requireClientPerson(context);
  const { draft, isSaved } = await findIntakeDraft(person);
  const submittedFormId = await findIntakeFormId(person);
  const isUpdate = submittedFormId !== null;
  const progress = sectionProgress(draft);
  const nextStepName = nextIntakeStep(progress);
  const step = new URL(request.url).searchParams.get("step");
  if (step === "check" && nextStepName !== "check") throw redirect(intakeStepPath(base, "sections"));
  const section = findIntakeSection(step);
  if (isUpdate && (section || step === "check"))
    await recordAuditRead({ action: "intake-opened", familyId: person.id, objectId: submittedFormId });
  const sharedData = { base, progress, next: nextStepName, isUpdate, isSaved };
  if (section)
    return {
      ...sharedData,
      view: "section" as const,
      section: section.name,
      title: section.title,
      intro: section.intro,
      values: initialValues(person, draft, section),
      questions: section.fields.map((name: FieldName) => ({ name, question: INTAKE_QUESTIONS[name] as Question })),
    };
  if (step === "check") {
    const answers = mergeSections(draft);
    // Offered only if the account has no number. An existing number is never replaced.
    const offeredPhone = person.phone === null ? String(answers["phoneNumber"] ?? "") : null;
    return { ...sharedData, view: "check" as const, answers: formatAnswers(answers), phoneOffer: offeredPhone };
  }
  return { ...sharedData, view: "sections" as const };
}

export type IntakeWizardData = Awaited<ReturnType<typeof loadIntakeWizard>>;

/**
 * The page that shows the steps, and where it redirects after the form was submitted. `bookingVersion` comes from the
 * wizard.
 */
type IntakePage = {
  base: string;
  onSubmitted: (context: Context, bookingVersion: FormDataEntryValue | null) => Response | Promise<Response>;
};

/**
 * Saves the section, then redirects to the next step. The last step submits the form and returns the response of
 * `onSubmitted`: a redirect of the page, with a flash message.
 */
export async function handleIntakeWizardAction(context: Context, request: Request, { base, onSubmitted }: IntakePage) {
  const person = requireClientPerson(context);
  const step = new URL(request.url).searchParams.get("step");
  if (step === "check") {
    const formData = await readNamedFormFields(request, ["savePhone", "bookingVersion"]);
    const bookingVersion = formData.get("bookingVersion");
    return submitDraft(context, person, {
      base,
      onSubmitted,
      shouldSavePhone: formData.has("savePhone"),
      bookingVersion,
    });
  }
  const section = findIntakeSection(step);
  if (!section)
    throw new Response("This form has no such step.", { status: HTTP_STATUS.malformed, statusText: "Bad Request" });
  const form = await readNamedFormFields(request, [...fieldNames(sectionSchemas[section.name]), "intent"]);
  return saveSectionAndRedirect(person, base, section, form);
}

async function saveSectionAndRedirect(person: Person, base: string, section: IntakeSection, form: FormData) {
  const intent = form.get("intent");
  const shouldContinue = intent !== "later" && intent !== "keep";
  // Values saved while the family is typing are not changed.
  const values =
    intent === "keep" ? parseSectionAnswers(section, form) : addDerivedAge(parseSectionAnswers(section, form));
  const validation = validateFields<z.ZodType>(sectionSchemas[section.name], values);
  const saveResult = await saveIntakeDraftSection(
    person,
    section.name,
    values,
    shouldContinue ? validation.ok : undefined,
  );
  if (!saveResult.ok) return sectionErrors(values, saveResult);
  if (intent === "keep") return data({ result: null, notice: null });
  if (intent === "later") return redirect(intakeStepPath(base, "sections"));
  if (!validation.ok) return sectionErrors(values, explainMissingAge(values, validation));
  return redirect(intakeStepPath(base, nextIntakeStep(sectionProgress(saveResult.value), section.name)));
}

/** Adds the age derived from the birthday if only the birthday was entered. */
function addDerivedAge(values: Answers): Answers {
  const { childAge, childBirthday } = values;
  if (typeof childAge !== "string" || childAge.trim() || typeof childBirthday !== "string") return values;
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: env.practice.timeZone }).format(now());
  const age = formatAge(today, childBirthday);
  return age ? { ...values, childAge: age } : values;
}

/** Says that the age could not be derived from the birthday, if only the birthday was entered. */
function explainMissingAge({ childBirthday }: Answers, refusal: Refusal): Refusal {
  const hasBirthday = typeof childBirthday === "string" && childBirthday.trim() !== "";
  if (!refusal.errors?.childAge || !hasBirthday) return refusal;
  return { ...refusal, errors: { ...refusal.errors, childAge: [BIRTHDAY_UNREADABLE_MESSAGE] } };
}

function sectionErrors(values: Answers, { reason, message, errors }: Refusal) {
  const result: SubmissionResult<string[]> = {
    status: "error",
    initialValue: values,
    error: errors ?? { "": [message] },
  };
  return data({ result, notice: null }, { status: HTTP_STATUS[reason] });
}

type DraftSubmission = IntakePage & { shouldSavePhone: boolean; bookingVersion: FormDataEntryValue | null };

async function submitDraft(context: Context, person: Person, submission: DraftSubmission) {
  const { base, onSubmitted, shouldSavePhone, bookingVersion } = submission;
  const { draft, isSaved } = await findIntakeDraft(person);
  const fields = intakeFormSchema.safeParse(mergeSections(draft));
  if (!fields.success) return redirectWithFlash(context, intakeStepPath(base, "sections"), SUBMISSION_FAILED_NOTICE);
  try {
    // Without a draft, the form was already submitted by a double click or by another device.
    const outcome = isSaved ? await submitIntakeForm(person, fields.data, { shouldSavePhone }) : null;
    if (outcome?.ok === false) return submissionFailure(context, outcome.message, HTTP_STATUS[outcome.reason]);
  } catch (error) {
    logError(error, "intake form");
    const outage = outageRefusal(error);
    const message = outage?.message ?? "Please try again. Your answers are saved.";
    return submissionFailure(context, message, outage ? HTTP_STATUS.unavailable : 500);
  }
  return onSubmitted(context, bookingVersion);
}

function submissionFailure(context: Context, message: string, status: number) {
  flashNow(context, SUBMISSION_FAILED_NOTICE);
  const failureMessage = `${SUBMISSION_FAILED_NOTICE.description} ${message}`;
  return data({ result: null, notice: SUBMISSION_FAILED_NOTICE, failureMessage }, { status });
}

function requireClientPerson(context: Context): Person {
  const person = requirePerson(context);
  if (person.isClient && !person.isAdmin) return person;
  throw new Response("Only a family fills in this form.", {
    status: HTTP_STATUS.notFound,
    statusText: "Not Found",
  });
}

/** Returns the values of the section's draft, otherwise initial values from the account's data. */
function initialValues(person: Person, draft: IntakeDraft, section: IntakeSection): Answers {
  const account: Answers = { fullName: fullName(person), phoneNumber: person.phone ?? "", emailAddress: person.email };
  const defaults: Answers = { ...account, preferredContactMethod: "phone", iepStatus: "no" };
  return draft[section.name]?.values ?? Object.fromEntries(section.fields.map((name) => [name, defaults[name] ?? ""]));
}

function mergeSections(draft: IntakeDraft): Answers {
  return Object.assign({}, ...Object.values(draft).map(({ values }) => values)) as Answers;
}
