import { useSite } from "../practice/site.ts";
import { ZonedTime } from "../ui/zoned-time.tsx";

type OrderSummaryProps = {
  title: string;
  start: string | null;
  length: string;
  amount: string;
  /** Visits that the amount covers in addition to this one. */
  covers: string | null;
};

/** Shows the booking that is about to be paid. */
export function OrderSummary({ title, start, length, amount, covers }: OrderSummaryProps) {
  const { timeZone } = useSite().practice;
  return (
    <dl className="notice grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
      <div>
        <dt className="sr-only">Service</dt>
        <dd className="wrap-anywhere">
          <strong>{title || "Consultation"}</strong>, <span className="inline-block">{length}</span>
        </dd>
      </div>
      <div className="col-span-2">
        <dt className="sr-only">Date</dt>
        <dd>{start ? <ZonedTime instant={start} zone={timeZone} inSentence /> : "TBD"}</dd>
      </div>
      <div className="col-start-2 row-start-1">
        <dt className="sr-only">Amount</dt>
        <dd>
          <strong>{amount}</strong>
        </dd>
      </div>
      {covers && (
        <div className="col-span-2">
          <dt className="sr-only">What it pays for</dt>
          <dd className="hint">{covers}</dd>
        </div>
      )}
    </dl>
  );
}
