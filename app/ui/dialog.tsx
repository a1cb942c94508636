import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { CloseIcon } from "./icons.tsx";
import { standOnTop } from "./top-dialog.ts";

type DialogProps = {
  title: string;
  /** Which one, where the title is the same for all: it belongs to the dialog's name. */
  about?: ReactNode;
  closeTo: string;
  size?: "md" | "lg";
  wholePage?: boolean;
  children: ReactNode;
};

/**
 * A dialog that is open because the address says so. From the server it is a plain open panel with a Close link; once
 * the page runs it is modal, and Escape or a press beside it goes to `closeTo`; with `wholePage` by loading it anew,
 * for a dialog whose scripts shall not stay.
 */
export function Dialog({ title, about, closeTo, size = "md", wholePage = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  const aboutId = useId();
  const navigate = useNavigate();
  const close = () => (wholePage ? window.location.assign(closeTo) : navigate(closeTo, { preventScrollReset: true }));

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const before = document.activeElement;
    // Open already, but not modal: a modal one must be opened by script.
    element.close();
    element.showModal();
    const first = element.querySelector<HTMLElement>("[data-error-summary], [data-first-focus]") ?? heading.current;
    first?.focus();
    const leave = standOnTop(element);
    return () => {
      leave();
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  function onCancel(event: SyntheticEvent) {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    void close();
  }
  function onClick(event: MouseEvent) {
    if (event.target === dialog.current && isOutside(event, dialog.current)) void close();
  }

  return (
    <dialog
      ref={dialog}
      open
      className={size === "lg" ? "dialog dialog-lg" : "dialog"}
      aria-labelledby={about ? `${titleId} ${aboutId}` : titleId}
      onCancel={onCancel}
      onClick={onClick}
    >
      <div className="flex items-start justify-between gap-4">
        <h2 ref={heading} id={titleId} tabIndex={-1} className="min-w-0 pt-1 text-2xl wrap-anywhere">
          {title}
        </h2>
        <Link
          to={closeTo}
          reloadDocument={wholePage}
          preventScrollReset
          className="button button-quiet button-icon -mt-1 -mr-1 shrink-0"
          aria-label="Close"
        >
          <CloseIcon />
        </Link>
      </div>
      {about && (
        <p id={aboutId} className="mt-3 font-bold wrap-anywhere">
          {about}
        </p>
      )}
      {children}
    </dialog>
  );
}

/** The veil is part of the dialog element, so only the place of the press tells them apart. */
function isOutside(event: MouseEvent, element: HTMLElement) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
}
