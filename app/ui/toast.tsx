import { useEffect, useRef, useState } from "react";
import { announceToast, enableToastHotkey, runToast, staysWritten } from "./enhance-toast.ts";
import { enableTipEscape } from "./enhance-tips.ts";
import { AlertIcon, CheckIcon, CloseIcon } from "./icons.tsx";
import { type Notice, onNotice } from "./notice.ts";

/**
 * The one message after an action. Without a script it stands in the page. With one it floats, and goes after a while;
 * a failure then stays written in the page until it is closed.
 */
export function ToastRegion({ notice }: { notice: Notice | null }) {
  const [latest, setLatest] = useState(notice);
  const [shown, setShown] = useState(notice);
  const [parked, setParked] = useState(false);
  const region = useRef<HTMLElement>(null);
  const toast = useRef<HTMLDivElement>(null);
  // A refresh of the page's data brings no message, and takes none away.
  if (notice && notice !== latest) {
    setLatest(notice);
    setShown(notice);
    setParked(false);
  }

  useEffect(() => (region.current ? enableToastHotkey(region.current) : undefined), []);
  useEffect(enableTipEscape, []);
  useEffect(
    () =>
      onNotice((said) => {
        setShown({ ...said });
        setParked(false);
      }),
    [],
  );
  useEffect(() => {
    if (!toast.current || !shown) return;
    const element = toast.current;
    announceToast(element);
    const closed = () => setShown(null);
    return runToast(element, { closed, expired: () => (staysWritten(element) ? setParked(true) : closed()) });
  }, [shown]);

  return (
    <section ref={region} className="toasts" tabIndex={-1} aria-label="Notifications (F8)" data-toasts>
      <div role="status" aria-live="polite">
        {shown && (
          <div
            ref={toast}
            className={shown.style === "destructive" ? "toast toast-destructive" : "toast"}
            data-style={shown.style ?? "default"}
            data-parked={parked || undefined}
          >
            {shown.style === "destructive" ? (
              <AlertIcon className="size-6 text-danger" />
            ) : (
              <CheckIcon className="size-6 text-good" />
            )}
            <div>
              <p className="font-bold">{shown.title}</p>
              {shown.description && <p>{shown.description}</p>}
            </div>
            <button
              type="button"
              hidden
              className="button button-quiet button-icon -my-2 -mr-2 min-h-11"
              aria-label="Close message"
              data-close
              onClick={parked ? () => setShown(null) : undefined}
            >
              <CloseIcon className="size-5" />
            </button>
          </div>
        )}
      </div>
    </section>
  );
}
