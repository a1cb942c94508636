import type { FieldMetadata, FormMetadata, SubmissionResult } from "@conform-to/react";
import { useId, useState } from "react";
import { useUnsentValues } from "./unsent-form.tsx";

/** What the controls here read of a field, whatever its form: Conform's own, or one of a running page. */
export type AnyField = Pick<
  // oxlint-disable-next-line no-explicit-any
  FieldMetadata<any, any, string[]>,
  "id" | "name" | "key" | "errorId" | "descriptionId" | "initialValue" | "errors"
>;

/** What the summary reads of a form: the pieces here never look inside its shape. */
// oxlint-disable-next-line no-explicit-any
export type AnyForm = Pick<FormMetadata<any, string[]>, "id" | "errors" | "allErrors" | "status">;

type FormResult = SubmissionResult<string[]>;

type PageFormOptions<Shape> = {
  /** Where it changes the form begins anew. */
  id?: string;
  /** The server's answer to what was sent last. Its errors stay until the next answer. */
  lastResult?: FormResult | null;
  defaultValue?: { [Name in keyof Shape]?: unknown };
};

/**
 * The form of a running page: its fields under the names and ids that Conform gives them, with what Conform said of
 * them on the server, where alone forms are judged. Starts with what waits for it, where something does.
 */
export function usePageForm<Shape>({ id, lastResult, defaultValue }: PageFormOptions<Shape>) {
  const ownId = useId();
  const formId = id ?? ownId;
  const unsentValues = useUnsentValues();
  const createState = (result?: FormResult | null) => ({
    id: formId,
    lastResult: result,
    result,
    initialValue: result?.initialValue ?? { ...defaultValue, ...unsentValues },
  });
  const [state, setState] = useState(() => createState(lastResult));
  let current = state;
  if (lastResult && lastResult !== state.lastResult) current = { ...state, lastResult: lastResult, result: lastResult };
  else if (formId !== state.id) current = { ...createState(null), lastResult: lastResult };
  if (current !== state) setState(current);

  const { result, initialValue } = current;
  const errors = (result?.error ?? NO_ERRORS) as Record<string, string[]>;
  const form: AnyForm = { id: formId, status: result?.status, errors: errors[""], allErrors: errors };
  const fields = new Proxy({} as { [Name in keyof Shape]: AnyField }, {
    get: (_, name: string) => toField(formId, name, initialValue[name], errors[name]),
  });
  return [form, fields] as const;
}

const NO_ERRORS = {};

function toField(formId: string, name: string, initialValue: unknown, errors?: string[]): AnyField {
  const id = `${formId}-${name}`;
  return { id, name, key: undefined, errorId: `${id}-error`, descriptionId: `${id}-description`, initialValue, errors };
}
