import type { FieldMetadata, FormMetadata, SubmissionResult } from "@conform-to/react";
import { useId, useState } from "react";
import { useNavigation } from "react-router";
import { useUnsentForm } from "./unsent-form-context.ts";

/** The properties of a field that controls use, from Conform or from `useServerValidatedForm`. */
export type AnyField = Pick<
  // oxlint-disable-next-line no-explicit-any
  FieldMetadata<any, any, string[]>,
  "id" | "name" | "key" | "errorId" | "descriptionId" | "initialValue" | "errors"
>;

/** The properties of a form that the error summary uses, for any schema. */
// oxlint-disable-next-line no-explicit-any
export type AnyForm = Pick<FormMetadata<any, string[]>, "id" | "errors" | "allErrors" | "status">;

type FormResult = SubmissionResult<string[]>;

type PageFormOptions<Shape> = {
  /** The form is reset when the id changes. */
  id?: string;
  /** The server's result of the last submission. Its errors stay until there is a response to the next submission. */
  lastResult?: FormResult | null;
  defaultValue?: { [Name in keyof Shape]?: unknown };
};

/**
 * Returns the form of a hydrated page: fields with Conform's names and ids and the errors of the server's validation,
 * without Conform's code in the browser. Starts with the stored unsent form, if there is one.
 */
export function useServerValidatedForm<Shape>({ id, lastResult, defaultValue }: PageFormOptions<Shape>) {
  const generatedId = useId();
  const formId = id ?? generatedId;
  const unsentValues = useUnsentForm()?.values;
  const createState = (result?: FormResult | null) => ({
    id: formId,
    lastResult: result,
    result,
    initialValue: result?.initialValue ?? { ...defaultValue, ...unsentValues },
  });
  const isSubmitting = useIsSubmitting();
  const [state, setState] = useState(() => ({ ...createState(lastResult), isSubmitting }));
  let currentState = state;
  if (lastResult && lastResult !== state.lastResult) currentState = { ...state, lastResult, result: lastResult };
  else if (formId !== state.id) currentState = { ...state, ...createState(null), lastResult };
  else if (state.isSubmitting && !isSubmitting && !lastResult)
    currentState = { ...state, lastResult: null, result: null };
  if (currentState.isSubmitting !== isSubmitting) currentState = { ...currentState, isSubmitting };
  if (currentState !== state) setState(currentState);

  const { result, initialValue } = currentState;
  const errors = (result?.error ?? NO_ERRORS) as Record<string, string[]>;
  const form: AnyForm = { id: formId, status: result?.status, errors: errors[""], allErrors: errors };
  const fields = new Proxy({} as { [Name in keyof Shape]: AnyField }, {
    get: (_, name: string) => createFieldMetadata(formId, name, initialValue[name], errors[name]),
  });
  return [form, fields] as const;
}

/** Whether a form is being submitted or the page after it is loading. A link or a search must not remove the errors. */
function useIsSubmitting(): boolean {
  const { formMethod } = useNavigation();
  return formMethod !== undefined && formMethod !== "GET";
}

const NO_ERRORS = {};

function createFieldMetadata(formId: string, name: string, initialValue: unknown, errors?: string[]): AnyField {
  const id = `${formId}-${name}`;
  return { id, name, key: undefined, errorId: `${id}-error`, descriptionId: `${id}-description`, initialValue, errors };
}
