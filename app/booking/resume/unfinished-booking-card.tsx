import { Suspense } from "react";
import { lazyComponent } from "../../ui/lazy-component.ts";
import type { UnfinishedBookingProps } from "./unfinished-forms-card.tsx";

/** Loaded only by the few pages that show it. */
const UnfinishedBookingSummary = lazyComponent(
  async () => (await import("./unfinished-forms-card.tsx")).UnfinishedBookingSummary,
);

/** Renders nothing if nothing is unfinished. */
export function UnfinishedBookingCard(props: UnfinishedBookingProps) {
  const { booking, intake } = props.unfinished;
  if (!booking && !intake) return null;
  return (
    <Suspense>
      <UnfinishedBookingSummary {...props} />
    </Suspense>
  );
}
