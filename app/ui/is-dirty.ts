/** Whether a field of the form differs from its initial value. */
export function isFormDirty(form: HTMLFormElement): boolean {
  return [...form.elements].some(isDirtyField);
}

/** Whether a field differs from its initial value. Passwords and hidden fields don't count. */
export function isDirtyField(element: Element): boolean {
  if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue;
  if (element instanceof HTMLSelectElement)
    return [...element.options].some((option) => option.selected !== option.defaultSelected);
  if (!(element instanceof HTMLInputElement) || element.type === "hidden" || element.type === "password") return false;
  return element.value !== element.defaultValue || element.checked !== element.defaultChecked;
}
