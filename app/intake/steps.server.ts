import type { SubmissionResult } from "@conform-to/react";
import { data, redirect, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { validate } from "../accounts/doors.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { redirectWithFlash, flashNow, flash } from "../accounts/session.server.ts";
import { outageRefusal, logError } from "../http/failure.server.ts";
import { fieldNames, readFormData } from "../http/form.server.ts";
import { type Refusal, HTTP_STATUS } from "../http/outcome.ts";
import { readableAnswers, typedAnswers } from "./answers.ts";
import { findIntakeDraft, saveIntakeDraft } from "./draft.server.ts";
import { hasIntakeForm, submitIntakeForm } from "./intake.server.ts";
import { type IntakeDraft, progressOf, stepAfter } from "./progress.ts";
import { type Answers, type FieldName, type Question, QUESTIONS } from "./questions.ts";
import { findSection, type Section, stepAddress } from "./sections.ts";
import { intakeShape, sectionShapes } from "./shape.ts";

type Context = Readonly<RouterContextProvider>;

const FAILED = {
  title: "Submission Failed",
  description: "Failed to submit intake form.",
  style: "destructive",
} as const;

/**
 * What `<IntakeSteps>` draws at the address `base`: `?step=` names a section, or `check` for all answers; without it
 * the list of sections. For the signed-in family alone; a form of someone else is never asked for.
 */
export async function intakeLoader(context: Context, request: Request, { base }: { base: string }) {
  const person = clientOf(context);
  const { draft, isSaved } = await findIntakeDraft(person);
  const isUpdate = await hasIntakeForm(person);
  const progress = progressOf(draft);
  const next = stepAfter(progress);
  const step = new URL(request.url).searchParams.get("step");
  if (step === "check" && next !== "check") throw redirect(stepAddress(base, "sections"));
  const section = findSection(step);
  const common = { base, progress, next, isUpdate, isSaved };
  if (section)
    return {
      ...common,
      view: "section" as const,
      section: section.name,
      title: section.title,
      about: section.about,
      values: startingValues(person, draft, section),
      questions: section.fields.map((name: FieldName) => ({ name, question: QUESTIONS[name] as Question })),
    };
  if (step === "check") return { ...common, view: "check" as const, answers: readableAnswers(wholeOf(draft)) };
  return { ...common, view: "sections" as const };
}

export type IntakeStepsData = Awaited<ReturnType<typeof intakeLoader>>;

/**
 * Keeps what was typed, then goes on to the next step; on the last one sends the form in, stores the notice
 * *Intake Form Submitted!* and answers with what `done` returns (a redirect of the host page).
 */
export async function intakeAction(
  context: Context,
  request: Request,
  { base, done }: { base: string; done: (context: Context) => Response | Promise<Response> },
) {
  const person = clientOf(context);
  const step = new URL(request.url).searchParams.get("step");
  if (step === "check") return sendIn(context, person, base, done);
  const section = findSection(step);
  if (!section)
    throw new Response("This form has no such step.", { status: HTTP_STATUS.malformed, statusText: "Bad Request" });
  const form = await readFormData(request, [...fieldNames(sectionShapes[section.name]), "intent"]);
  return saveSection(person, base, section, form);
}

async function saveSection(person: Person, base: string, section: Section, form: FormData) {
  const intent = form.get("intent");
  const goesOn = intent !== "later" && intent !== "keep";
  const values = typedAnswers(section, form);
  const checked = validate<z.ZodType>(sectionShapes[section.name], values);
  const saved = await saveIntakeDraft(person, section.name, values, goesOn ? checked.ok : undefined);
  if (!saved.ok) return refuseSection(values, saved);
  if (intent === "keep") return data({ result: null, notice: null });
  if (intent === "later") return redirect(stepAddress(base, "sections"));
  if (!checked.ok) return refuseSection(values, checked);
  return redirect(stepAddress(base, stepAfter(progressOf(saved.value), section.name)));
}

function refuseSection(values: Answers, { reason, message, errors }: Refusal) {
  const result: SubmissionResult<string[]> = {
    status: "error",
    initialValue: values,
    error: errors ?? { "": [message] },
  };
  return data({ result, notice: null }, { status: HTTP_STATUS[reason] });
}

async function sendIn(
  context: Context,
  person: Person,
  base: string,
  done: (context: Context) => Response | Promise<Response>,
) {
  const { draft, isSaved } = await findIntakeDraft(person);
  const fields = intakeShape.safeParse(wholeOf(draft));
  if (!fields.success) return redirectWithFlash(context, stepAddress(base, "sections"), FAILED);
  try {
    // Without a draft it was sent already: the button pressed twice, or another device was quicker.
    if (isSaved) await submitIntakeForm(person, fields.data);
  } catch (error) {
    logError(error, "intake form");
    flashNow(context, FAILED);
    const failed = `${FAILED.description} ${outageRefusal(error)?.message ?? "Please try again. Your answers are saved."}`;
    return data(
      { result: null, notice: FAILED, failed },
      { status: outageRefusal(error) ? HTTP_STATUS.unavailable : 500 },
    );
  }
  flash(context, { title: "Intake Form Submitted!" });
  return done(context);
}

function clientOf(context: Context): Person {
  const person = requirePerson(context);
  if (person.isClient && !person.isAdmin) return person;
  throw new Response("Only a family fills in this form.", {
    status: HTTP_STATUS.notFound,
    statusText: "Not Found",
  });
}

/** What the account already tells is not asked again. */
function startingValues(person: Person, draft: IntakeDraft, section: Section): Answers {
  const account: Answers = { fullName: fullName(person), phoneNumber: person.phone ?? "", emailAddress: person.email };
  const presets: Answers = { ...account, preferredContactMethod: "phone", iepStatus: "no" };
  return draft[section.name]?.values ?? Object.fromEntries(section.fields.map((name) => [name, presets[name] ?? ""]));
}

function wholeOf(draft: IntakeDraft): Answers {
  return Object.assign({}, ...Object.values(draft).map(({ values }) => values)) as Answers;
}
