import type { ReactNode } from "react";
import { Form } from "react-router";
import { useRevalidateAfter } from "../../ui/use-revalidate-after.ts";
import { NearestTimeButtons } from "../availability/nearest-time-buttons.tsx";
import type { ChosenSlotStatus } from "./chosen-slot-status.server.ts";
import { NEW_APPOINTMENT_PATH } from "../appointment-paths.ts";

type Props = {
  hold: ChosenSlotStatus;
  /** Whether saving a step on this page holds the time again. */
  isOnSave?: boolean;
  /** Further text of this page about the booking. */
  children?: ReactNode;
};

/**
 * Shows until when the chosen time is held, or that it was lost. Then one press chooses another time and keeps
 * everything else.
 */
export function HoldNotice({ hold, isOnSave = false, children }: Props) {
  useRevalidateAfter(hold.state === "held" ? hold.msLeft : null);
  if (hold.state === "held") {
    return (
      <details className="notice hold-notice">
        <summary>
          <span role="status">Held for you until {hold.until}</span>
        </summary>
        <p>
          Your time is {hold.when}. {isOnSave && "Each step that you save holds it longer, up to 45 minutes in all. "}
          What you chose and wrote stays saved after that too, but somebody else could book the time.
        </p>
        {children}
      </details>
    );
  }
  if (hold.state === "open") {
    return (
      <p role="status" className="notice notice-warning">
        {hold.when} is still free
        {isOnSave && hold.isHeldOnSave
          ? ". We'll hold it for you again when you save your next answers."
          : ", but we're no longer holding it. Finish booking soon, before someone else takes it."}
      </p>
    );
  }
  return (
    <div role="status" className="notice notice-warning grid gap-3">
      <p>
        {hold.when} {hold.statusText}. {hold.reason} Everything else you chose is saved.
        {hold.nearest.length > 0 && " Take one of the nearest times:"}
      </p>
      <Form method="post" action={NEW_APPOINTMENT_PATH} preventScrollReset className="nearest-times">
        <NearestTimeButtons times={hold.nearest} />
      </Form>
    </div>
  );
}
