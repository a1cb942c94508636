import { type MouseEvent, useEffect, useRef } from "react";
import { useUnsentForm } from "./unsent-form-context.ts";
import { type Notice, showToast } from "./toast.ts";
import type { AnyForm } from "./use-server-validated-form.ts";

type ErrorSummaryProps = {
  form: AnyForm;
  /** The error's title and text. If the error belongs to no field, it is also shown as a toast. */
  notice?: Notice | null;
};

/**
 * Shows the summary of a form's errors at the top of the page, with links to the fields. It receives the focus: after
 * hydration by this component, on static pages by their script.
 */
export function ErrorSummary({ form, notice }: ErrorSummaryProps) {
  const summaryRef = useRef<HTMLDivElement>(null);
  const entries = Object.entries(form.allErrors).flatMap(([name, errors]) => errors.map((text) => ({ name, text })));
  const hasErrors = entries.length > 0;
  useEffect(() => {
    if (hasErrors) summaryRef.current?.focus();
  }, [hasErrors, form.allErrors]);
  const hasErrorsAtFields = hasFieldErrors(form.allErrors);
  useEffect(() => {
    if (notice && !hasErrorsAtFields) showToast(notice);
  }, [notice, hasErrorsAtFields]);
  const unsentForm = useUnsentForm();
  if (!hasErrors) {
    return (
      unsentForm && (
        <p role="status" className="notice">
          {unsentForm.isConfirmation
            ? "This hasn’t been sent yet. Here is what you typed. Press the button once more."
            : "You were signed out before this was sent. Here is what you typed. Please check it and send it again."}
        </p>
      )
    );
  }

  return (
    <div
      ref={summaryRef}
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

/** Returns the notice's title, followed by its text unless an entry has the same text. */
function summaryText({ title, description }: Notice, entries: readonly { text: string }[]): string {
  return description && entries.every(({ text }) => text !== description) ? `${title}. ${description}` : title;
}

/** Whether any of the errors belongs to a field, which then shows it. */
export function hasFieldErrors(errors: Record<string, unknown>): boolean {
  return Object.keys(errors).some((name) => name !== "");
}

/**
 * Focuses the field without changing the URL. The router treats a new hash as a navigation, which would remove the
 * errors.
 */
function focusField(event: MouseEvent<HTMLAnchorElement>) {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  field?.focus({ preventScroll: true });
  if (field === null || document.activeElement !== field) return;
  event.preventDefault();
  field.scrollIntoView({ block: "center" });
}

/** Returns the name of the outermost field: `children` for `children[0].name`. */
function rootFieldName(name: string) {
  return name.replace(/[[.].*$/, "");
}
