import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "react-router";
import { announceToast, areToastsInPage, enableToastHotkey, runToast, persistsInPage } from "./behaviors/toast.ts";
import { enableTooltipDismissal } from "./behaviors/dismiss-tooltip.ts";
import { AlertIcon, CheckIcon, CloseIcon } from "./icons.tsx";
import { type Notice, onToast } from "./toast.ts";
import { useTopDialog } from "./top-dialog.ts";

/** If the page or dialog is scrolled further than this, its top may not be visible. */
const TOP_PX = 40;

/**
 * Shows the message after an action. Without JavaScript, and on a narrow screen at the top of a page or dialog, it is
 * part of the page. Otherwise it floats and expires; an error then stays in the page until it is closed. While a dialog
 * is open, the message is rendered inside it, below its heading, because everything outside is inert.
 */
export function ToastRegion({ notice }: { notice: Notice | null }) {
  const [latest, setLatest] = useState(notice);
  const [shown, setShown] = useState(notice);
  const [isKept, setKept] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const toast = useRef<HTMLDivElement>(null);
  const dialog = useTopDialog();
  const { key } = useLocation();
  const [shownAt, setShownAt] = useState(key);
  // Revalidation neither adds nor removes a message.
  if (notice && notice !== latest) {
    setLatest(notice);
    setShown(notice);
    setShownAt(key);
    setKept(false);
  }

  useEffect(() => (region.current ? enableToastHotkey(region.current) : undefined), [dialog]);
  useEffect(enableTooltipDismissal, []);
  useEffect(
    () =>
      onToast((message) => {
        setShown(message && { ...message });
        setShownAt(key);
        setKept(false);
      }),
    [key],
  );
  useEffect(() => {
    if (shownAt !== key && region.current && areToastsInPage(region.current)) setShown(null);
  }, [key, shownAt]);
  const endSuccessOfEarlierPage = useEffectEvent(() => {
    if (shownAt !== key) setShown((current) => (current?.style === "destructive" ? current : null));
  });
  // A message from before a dialog was opened would cover it.
  useEffect(() => (dialog ? endSuccessOfEarlierPage() : undefined), [dialog]);
  useEffect(() => {
    if (!toast.current || !shown || isKept) return;
    const element = toast.current;
    region.current?.toggleAttribute("data-floating", (dialog?.scrollTop ?? window.scrollY) > TOP_PX);
    announceToast(element);
    const close = () => setShown(null);
    return runToast(element, { onClose: close, onExpire: () => (persistsInPage(element) ? setKept(true) : close()) });
  }, [shown, isKept, dialog]);

  const content = (
    <div ref={region} role="region" className="toasts" tabIndex={-1} aria-label="Notifications (F8)" data-toasts>
      <div role="status" aria-live="polite">
        {shown && (
          <div
            ref={toast}
            className={shown.style === "destructive" ? "toast toast-destructive" : "toast"}
            data-style={shown.style ?? "default"}
            data-persistent={isKept || undefined}
          >
            {shown.style === "destructive" ? (
              <AlertIcon className="size-6 text-danger" />
            ) : (
              <CheckIcon className="size-6 text-good" />
            )}
            <div>
              <p className="font-bold">{shown.title}</p>
              {shown.description && <p>{shown.description}</p>}
              {shown.link && (
                <a href={shown.link.href} className="button button-secondary mt-2">
                  {shown.link.text}
                </a>
              )}
            </div>
            <button
              type="button"
              hidden={!isKept}
              className="button button-quiet button-icon -my-2 -mr-2 min-h-11"
              aria-label="Close message"
              data-close
              onClick={isKept ? () => setShown(null) : undefined}
            >
              <CloseIcon className="size-5" />
            </button>
          </div>
        )}
      </div>
    </div>
  );
  return dialog ? createPortal(content, dialog.querySelector("[data-toast-slot]") ?? dialog) : content;
}
