import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { MINUTE_MS, SECOND_MS } from "../../time-units.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { registerDialog } from "../../ui/top-dialog.ts";

const CHECK_INTERVAL_MS = 5 * SECOND_MS;

/** Warns that the session ends in `remainingMs`. Esc and the button extend the session. */
export function IdleDialog({ remainingMs, onStay }: { remainingMs: number; onStay: () => void }) {
  const minutes = Math.max(1, Math.round(remainingMs / MINUTE_MS));
  return (
    <dialog
      ref={useModal()}
      className="dialog"
      aria-labelledby="idle-title"
      onCancel={(event) => {
        event.preventDefault();
        onStay();
      }}
    >
      <h2 id="idle-title">Are you still there?</h2>
      <p role="status">
        To keep families' details private, you will be signed out in about{" "}
        {minutes === 1 ? "1 minute" : `${minutes} minutes`}. What you have typed on this page is kept for an hour, until
        you sign in again. Files and passwords are not.
      </p>
      <Button variant="primary" type="button" onClick={onStay}>
        Stay signed in
      </Button>
      <form method="post" action="/logout">
        <Button variant="secondary" type="submit">
          Sign out now
        </Button>
      </form>
    </dialog>
  );
}

/**
 * Hides a page whose person is no longer signed in and keeps it unchanged, with the files that were chosen on it, until
 * `onCheck` finds that the same person has signed in again.
 */
export function SignedOutOverlay({ onCheck }: { onCheck: () => void }) {
  useEffect(() => {
    const timer = setInterval(onCheck, CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [onCheck]);
  return (
    <dialog
      ref={useModal()}
      className="dialog backdrop:bg-paper"
      aria-labelledby="signed-out-title"
      onCancel={(event) => event.preventDefault()}
      // Browsers close the dialog when Escape is pressed twice, so it is opened again.
      onClose={(event) => event.currentTarget.isConnected && event.currentTarget.showModal()}
    >
      <h2 id="signed-out-title">You've been signed out</h2>
      <p role="status">
        The files that you chose are still on this page. Open a new tab to sign in, then come back here to upload them.
      </p>
      <LinkButton variant="primary" href="/login?redirectTo=%2Fdashboard" target="_blank" rel="noopener">
        Sign in (new tab)
      </LinkButton>
      <Button variant="secondary" type="button" onClick={onCheck}>
        I've signed in
      </Button>
    </dialog>
  );
}

/** Makes the dialog modal while it is rendered, and then restores the focus. */
function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect, because a dialog that was already removed can't restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.showModal();
    const unregister = registerDialog(element);
    return () => {
      unregister();
      element.close();
    };
  }, []);
  return dialog;
}
