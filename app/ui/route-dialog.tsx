import { type FocusEvent, type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { CloseIcon } from "./icons.tsx";
import { captureDialogOpener } from "./behaviors/focus-restoration.ts";
import { registerDialog } from "./top-dialog.ts";

const SIZE_CLASSES = {
  md: "dialog",
  lg: "dialog dialog-lg",
  full: "dialog dialog-full",
  split: "dialog dialog-lg dialog-split",
};

type DialogProps = {
  title: string;
  /** The name of the record, if the title is the same for all. Part of the dialog's accessible name. */
  description?: ReactNode;
  closeTo: string;
  /**
   * `full` fills a phone's window like `lg`, and equals `md` on other devices. `split` has room for two columns on a
   * desk.
   */
  size?: keyof typeof SIZE_CLASSES;
  reloadDocument?: boolean;
  children: ReactNode;
};

/**
 * Shows a dialog that is open because its route matches. In the server's HTML it is an open panel with a Close link.
 * After hydration it is modal, and Escape or a click outside navigates to `closeTo`. With `reloadDocument` that
 * navigation is a document load, for a dialog whose scripts must not stay loaded.
 */
export function RouteDialog({
  title,
  description,
  closeTo,
  size = "md",
  reloadDocument = false,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  const descriptionId = useId();
  const navigate = useNavigate();
  const close = () =>
    reloadDocument ? window.location.assign(closeTo) : navigate(closeTo, { preventScrollReset: true });

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const restoreFocus = captureDialogOpener(element);
    // A dialog opened by its HTML attribute is not modal; only `showModal` makes it modal.
    element.close();
    element.showModal();
    const initialFocus =
      element.querySelector<HTMLElement>("[data-error-summary], [data-first-focus]") ?? heading.current;
    initialFocus?.focus();
    const unregister = registerDialog(element);
    return () => {
      unregister();
      element.close();
      restoreFocus();
    };
  }, []);

  function onCancel(event: SyntheticEvent) {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    void close();
  }
  function onClick(event: MouseEvent) {
    if (event.target === dialog.current && isBackdropClick(event, dialog.current)) void close();
  }

  /**
   * Scrolls the focused field into view. Browsers don't do so for a partly visible field, even if the buttons at the
   * end cover the rest.
   */
  function onFocus({ target }: FocusEvent<HTMLElement>) {
    if (target.matches("textarea, input:not([type=radio], [type=checkbox]), select"))
      target.scrollIntoView({ block: "nearest" });
  }

  return (
    <dialog
      ref={dialog}
      open
      className={SIZE_CLASSES[size]}
      aria-labelledby={description ? `${titleId} ${descriptionId}` : titleId}
      onCancel={onCancel}
      onClick={onClick}
      onFocus={onFocus}
    >
      <div className="flex items-start justify-between gap-4">
        <h2 ref={heading} id={titleId} tabIndex={-1} autoFocus className="min-w-0 pt-1 text-2xl wrap-anywhere">
          {title}
        </h2>
        <Link
          to={closeTo}
          reloadDocument={reloadDocument}
          preventScrollReset
          className="button button-quiet button-icon -mt-1 -mr-1 shrink-0"
          aria-label="Close"
        >
          <CloseIcon />
        </Link>
      </div>
      <div data-toast-slot />
      {description && (
        <p id={descriptionId} className="mt-3 font-bold wrap-anywhere">
          {description}
        </p>
      )}
      {children}
    </dialog>
  );
}

/**
 * Whether a click is on the backdrop. The backdrop is part of the dialog element, so only the pointer position
 * distinguishes them.
 */
function isBackdropClick(event: MouseEvent, element: HTMLElement) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
}
