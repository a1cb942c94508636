import { type MouseEvent, useEffect, useRef } from "react";
import { useUnsentForm } from "./unsent-form-context.ts";
import { type Notice, showToast } from "./toast.ts";
import type { AnyForm } from "./page-form.ts";

/** For a form that waits on its page after the password was asked for. */
export const PRESS_AGAIN = "Press the button once more.";

type ErrorSummaryProps = {
  form: AnyForm;
  /** The error's title and text; one that concerns no field is also a toast. */
  notice?: Notice | null;
};

/**
 * The summary of a form's errors, at the top of the page, with links to the fields. Takes the focus: here after
 * hydration, on static pages by their script.
 */
export function ErrorSummary({ form, notice }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const entries = Object.entries(form.allErrors).flatMap(([name, errors]) => errors.map((text) => ({ name, text })));
  const hasErrors = entries.length > 0;
  useEffect(() => {
    if (hasErrors) box.current?.focus();
  }, [hasErrors, form.allErrors]);
  const isAtFields = hasFieldErrors(form.allErrors);
  useEffect(() => {
    if (notice && !isAtFields) showToast(notice);
  }, [notice, isAtFields]);
  const unsentForm = useUnsentForm();
  if (!hasErrors) {
    return (
      unsentForm && (
        <p role="status" className="notice">
          {unsentForm.isConfirmation
            ? `This isn’t sent yet. Here is what you typed. ${PRESS_AGAIN}`
            : "You were signed out before this was sent. Here is what you typed. Please check it and send it again."}
        </p>
      )
    );
  }

  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      data-error-summary
      aria-labelledby={`${form.id}-problem`}
      className="mb-6 rounded-md border-4 border-danger bg-raised p-5"
    >
      <h2 id={`${form.id}-problem`} className="text-xl text-ink">
        There is a problem
      </h2>
      {notice && <p className="mt-2">{summaryText(notice, entries)}</p>}
      <ul className="mt-1">
        {entries.map(({ name, text }) => (
          <li key={name + text}>
            {name === "" ? (
              <span className="inline-block py-2.5 leading-snug font-bold">{text}</span>
            ) : (
              <a
                className="inline-block py-2.5 leading-snug font-bold text-danger underline"
                href={`#${form.id}-${rootFieldName(name)}`}
                onClick={focusField}
              >
                {text}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The notice's title, and its text where no entry has the same. */
function summaryText({ title, description }: Notice, entries: readonly { text: string }[]): string {
  return description && entries.every(({ text }) => text !== description) ? `${title}. ${description}` : title;
}

/** Whether any of the errors belongs to a field, and is shown there. */
export function hasFieldErrors(errors: Record<string, unknown>): boolean {
  return Object.keys(errors).some((name) => name !== "");
}

/** Focuses the field without changing the URL: to the router a new hash is a navigation, which drops the errors. */
function focusField(event: MouseEvent<HTMLAnchorElement>) {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  field?.focus({ preventScroll: true });
  if (field === null || document.activeElement !== field) return;
  event.preventDefault();
  field.scrollIntoView({ block: "center" });
}

/** `children[0].name` belongs to the field `children`. */
function rootFieldName(name: string) {
  return name.replace(/[[.].*$/, "");
}
