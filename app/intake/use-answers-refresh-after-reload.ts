import { type RefObject, useEffect } from "react";
import { useRevalidator } from "react-router";
import { isDirtyField } from "../ui/is-dirty.ts";
import type { Answers } from "./intake-questions.ts";

/** Delays after a reload at which the answers are requested again. */
const REFRESH_DELAYS_MS = [300, 1_500, 5_000];

let hasRefreshed = false;

/**
 * Updates answers after a reload. On a reload, the browser sends the last input while the server already renders the
 * new page, which may therefore lack it. Requests the answers again and sets them in fields that the family has not
 * changed since.
 */
export function useAnswersRefreshAfterReload(form: RefObject<HTMLFormElement | null>, answers: Answers): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (hasRefreshed || !isReloadOrHistoryNavigation()) return;
    const timers = REFRESH_DELAYS_MS.map((delay, index) =>
      setTimeout(() => {
        hasRefreshed = index === REFRESH_DELAYS_MS.length - 1;
        void revalidate();
      }, delay),
    );
    return () => timers.forEach(clearTimeout);
  }, [revalidate]);

  const answersJson = JSON.stringify(answers);
  useEffect(() => {
    if (form.current) fillUntouchedFields(form.current, JSON.parse(answersJson) as Answers);
  }, [form, answersJson]);
}

function isReloadOrHistoryNavigation(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return navigation?.type === "reload" || navigation?.type === "back_forward";
}

function fillUntouchedFields(form: HTMLFormElement, answers: Answers): void {
  const fields = [...form.elements].filter(
    (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement,
  );
  const touchedNames = new Set(fields.filter(isDirtyField).map(({ name }) => name));
  for (const field of fields) {
    const answer = (answers as Record<string, string | string[] | undefined>)[field.name];
    if (answer === undefined || touchedNames.has(field.name)) continue;
    if (field instanceof HTMLInputElement && (field.type === "radio" || field.type === "checkbox"))
      field.checked = field.defaultChecked = [answer].flat().includes(field.value);
    // Writes only changed values, because writing the same value again would move the cursor.
    else if (field.defaultValue !== answer) field.value = field.defaultValue = String(answer);
  }
}
