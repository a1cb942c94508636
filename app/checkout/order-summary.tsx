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
    <dl className="notice grid gap-y-1">
      <div>
        <dt className="sr-only">Service</dt>
        <dd className="wrap-anywhere">
          <strong>{title || "Consultation"}</strong>, <span className="inline-block">{length}</span>
        </dd>
      </div>
      <div>
        <dt className="sr-only">Date</dt>
        <dd>{start ? <ZonedTime instant={start} zone={timeZone} inSentence /> : "TBD"}</dd>
      </div>
      <div>
        <dt className="sr-only">Amount</dt>
        <dd>
          <strong>{amount}</strong>
          {covers && `: ${covers}`}
        </dd>
      </div>
    </dl>
  );
}
