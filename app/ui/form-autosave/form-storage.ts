import { isDirtyField } from "../is-dirty.ts";
import { FORM_RESTORED_EVENT } from "./form-restored-event.ts";

const STORAGE_KEY_PREFIX = "form ";

/** The names of a form's visible fields, and the typed or selected values. */
type FieldValues = [name: string, value: string][];
type VisibleField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Returns the storage key of one form of one session. */
export function storedFormKey(sessionTag: number, name: string): string {
  return `${STORAGE_KEY_PREFIX}${sessionTag} ${name}`;
}

/** Whether the form has input that would be stored. */
export function hasUnsavedInput(form: HTMLFormElement): boolean {
  return findStorableFields(form).some(isDirtyField);
}

/** Stores the form's visible values in this tab, except files, passwords, hidden fields and `data-no-autosave`. */
export function storeForm(key: string, form: HTMLFormElement): void {
  const values: FieldValues = findStorableFields(form)
    .filter((field) => !isChoiceField(field) || field.checked)
    .map(({ name, value }) => [name, value]);
  trySessionStorage((storage) => storage.setItem(key, JSON.stringify(values)));
}

/**
 * Restores the stored values of the form, except in fields within `data-skip-restore`. Returns whether that changed a
 * value: it may not, because a page load may have saved the form. Deletes the forms of other sessions.
 */
export function restoreFormAndPruneStorage(key: string, form: HTMLFormElement): boolean {
  const sessionKeyPrefix = key.slice(0, key.indexOf(" ", STORAGE_KEY_PREFIX.length) + 1);
  deleteStoredForms((each) => !each.startsWith(sessionKeyPrefix));
  const values = JSON.parse(trySessionStorage((storage) => storage.getItem(key)) ?? "null") as FieldValues | null;
  if (!values) return false;
  for (const field of findStorableFields(form).filter((each) => !each.closest("[data-skip-restore]"))) {
    const storedValues = values.filter(([name]) => name === field.name).map(([, value]) => value);
    // If a stored choice is no longer offered, the form's own choice stays.
    if (field instanceof HTMLSelectElement) selectOptionIfOffered(field, storedValues[0]);
    else if (!isChoiceField(field)) field.value = storedValues[0] ?? field.value;
    else if (storedValues.includes(field.value)) field.checked = true;
    else if (field.type === "checkbox") field.checked = false;
    if (isDirtyField(field)) field.closest("details")?.setAttribute("open", "");
  }
  form.dispatchEvent(new CustomEvent<FieldValues>(FORM_RESTORED_EVENT, { detail: values }));
  if (hasUnsavedInput(form)) return true;
  deleteStoredForm(key);
  return false;
}

export function deleteStoredForm(key: string): void {
  trySessionStorage((storage) => storage.removeItem(key));
}

/** Deletes stored forms of this tab. Without `shouldDelete` deletes all of them, for pages where nobody is signed in. */
export function deleteStoredForms(shouldDelete: (key: string) => boolean = () => true): void {
  trySessionStorage((storage) => {
    for (const key of Object.keys(storage))
      if (key.startsWith(STORAGE_KEY_PREFIX) && shouldDelete(key)) storage.removeItem(key);
  });
}

function findStorableFields(form: HTMLFormElement): VisibleField[] {
  return [...form.querySelectorAll<VisibleField>("textarea, select, input")].filter(
    (field) =>
      field.name !== "" && !/^(hidden|password|file)$/.test(field.type) && !field.closest("[data-no-autosave]"),
  );
}

function selectOptionIfOffered(select: HTMLSelectElement, value?: string) {
  const isOffered = [...select.options].some((option) => option.value === value);
  if (isOffered && value !== undefined) select.value = value;
}

function isChoiceField(field: VisibleField): field is HTMLInputElement {
  return field.type === "radio" || field.type === "checkbox";
}

/** Returns null if the browser stores nothing. The form then works as without a script. */
function trySessionStorage<T>(callback: (storage: Storage) => T): T | null {
  try {
    return callback(sessionStorage);
  } catch {
    return null;
  }
}
