import { type RefObject, useEffect } from "react";
import { useRevalidator } from "react-router";
import { isDirtyField } from "../ui/is-dirty.ts";
import type { Answers } from "./intake-questions.ts";

/** When to ask the server again, after a reload. */
const CHECKS_MS = [300, 1_500, 5_000];

let isChecked = false;

/**
 * A page that is reloaded sends what was typed last while the server already makes the new one, which may come without
 * it. Asks again for the answers, and fills them into the fields that nobody has touched since.
 */
export function useLateAnswersRefresh(form: RefObject<HTMLFormElement | null>, answers: Answers): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (isChecked || !isReloaded()) return;
    const timers = CHECKS_MS.map((delay, index) =>
      setTimeout(() => {
        isChecked = index === CHECKS_MS.length - 1;
        void revalidate();
      }, delay),
    );
    return () => timers.forEach(clearTimeout);
  }, [revalidate]);

  const json = JSON.stringify(answers);
  useEffect(() => {
    if (form.current) fillUntouchedFields(form.current, JSON.parse(json) as Answers);
  }, [form, json]);
}

function isReloaded(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return navigation?.type === "reload" || navigation?.type === "back_forward";
}

function fillUntouchedFields(form: HTMLFormElement, answers: Answers): void {
  const fields = [...form.elements].filter(
    (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement,
  );
  const touched = new Set(fields.filter(isDirtyField).map(({ name }) => name));
  for (const field of fields) {
    const answer = (answers as Record<string, string | string[] | undefined>)[field.name];
    if (answer === undefined || touched.has(field.name)) continue;
    if (field instanceof HTMLInputElement && (field.type === "radio" || field.type === "checkbox"))
      field.checked = field.defaultChecked = [answer].flat().includes(field.value);
    // Writing the same value again would lose the place where someone is about to type.
    else if (field.defaultValue !== answer) field.value = field.defaultValue = String(answer);
  }
}
