import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation, useNavigation } from "react-router";
import { announceToast, enableToastDismissal, enableToastHotkey } from "./behaviors/toast-dismissal.ts";
import { enableTooltipDismissal } from "./behaviors/dismiss-tooltip.ts";
import { AlertIcon, CheckIcon, CloseIcon } from "./icons.tsx";
import { type Notice, subscribeToToasts } from "./toast.ts";
import { useTopDialog } from "./top-dialog.ts";

const HIDDEN_TOAST_STATE = { shown: null, shownAt: "" };

/**
 * Shows the message after an action: one quiet line below the navigation, or below a dialog's heading. On a page or
 * dialog that is scrolled it floats at the top edge. It ends with its page. A success expires, an error stays until it
 * is closed. While a dialog is open, the message is rendered inside it, because everything outside is inert.
 */
export function ToastRegion({ notice }: { notice: Notice | null }) {
  const { key, pathname } = useLocation();
  const { location: next } = useNavigation();
  const [latest, setLatest] = useState(notice);
  const [{ shown, shownAt }, setShown] = useState<{ shown: Notice | null; shownAt: string }>({
    shown: notice,
    shownAt: key,
  });
  const region = useRef<HTMLDivElement>(null);
  const toast = useRef<HTMLDivElement>(null);
  const dialog = useTopDialog();
  // Revalidation neither adds nor removes a message.
  if (notice && notice !== latest) {
    setLatest(notice);
    setShown({ shown: notice, shownAt: key });
  }

  useEffect(() => (region.current ? enableToastHotkey(region.current) : undefined), [dialog]);
  useEffect(enableTooltipDismissal, []);
  const showOnCurrentPage = useEffectEvent((message: Notice | null) => {
    // The result of an action is rendered before the loaders have finished, thus before the location gets its new key.
    // The history knows the page that a caller has just navigated to before the router has rendered it.
    const location = next?.pathname === pathname ? next : (history.state as { key?: string } | null);
    setShown({ shown: message && { ...message }, shownAt: location?.key ?? "default" });
  });
  useEffect(() => subscribeToToasts(showOnCurrentPage), []);
  const hideOnLaterPage = useEffectEvent(() => {
    // The region of a dialog that has just closed is gone with it. What was said there is read to its end on the page.
    if (shownAt === key || !region.current?.isConnected) return;
    region.current.style.minHeight = "";
    setShown(HIDDEN_TOAST_STATE);
  });
  useEffect(() => hideOnLaterPage(), [key]);
  useEffect(() => {
    if (!toast.current || !shown) return;
    announceToast(toast.current);
    // Its timer can fire after the next toast has replaced it and before that one's effects have run.
    const hide = () => setShown((current) => (current.shown === shown ? HIDDEN_TOAST_STATE : current));
    return enableToastDismissal(toast.current, hide);
  }, [shown, dialog]);

  const content = (
    <div ref={region} role="region" className="toasts" tabIndex={-1} aria-label="Notifications (F8)" data-toasts>
      <div role="status" aria-live="polite">
        {shown && (
          <div
            ref={toast}
            className={shown.style === "destructive" ? "toast toast-destructive" : "toast"}
            data-style={shown.style}
          >
            {shown.style === "destructive" ? (
              <AlertIcon className="size-6 text-danger" />
            ) : (
              <CheckIcon className="size-6 text-good" />
            )}
            <div>
              <div className="toast-text">
                <p className="font-bold">{shown.title}</p>
                {shown.description && <p>{shown.description}</p>}
              </div>
              {shown.link && (
                <a href={shown.link.href} className="button button-secondary mt-2">
                  {shown.link.text}
                </a>
              )}
            </div>
            <button
              type="button"
              hidden
              className="button button-quiet button-icon min-h-11"
              aria-label="Close message"
              data-close
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
