import type { CancellationAmounts } from "./cancellation-texts.ts";

/** The amounts that the form shows. If they have changed when it is submitted, nothing is canceled. */
export function ShownAmountFields({ amounts: { refundCents, feeCents } }: { amounts: CancellationAmounts }) {
  return (
    <>
      <input type="hidden" name="refundCents" value={refundCents} />
      <input type="hidden" name="feeCents" value={feeCents} />
    </>
  );
}
