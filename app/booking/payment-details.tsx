import { useSite } from "../practice/site.ts";
import { When } from "../ui/when.tsx";

type PaymentDetailsProps = { title: string; start: string | null; duration: number; amount: string };

/** What is about to be paid for: the last look at the answers. */
export function PaymentDetails({ title, start, duration, amount }: PaymentDetailsProps) {
  const { timeZone } = useSite().practice;
  return (
    <dl className="notice grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      <dt>Service</dt>
      <dd className="font-bold wrap-anywhere">{title || "Consultation"}</dd>
      <dt>Date</dt>
      <dd>
        {start ? (
          <>
            <When instant={start} zone={timeZone} inSentence />,{" "}
            <span className="inline-block">{duration} minutes</span>
          </>
        ) : (
          "TBD"
        )}
      </dd>
      <dt>Amount</dt>
      <dd className="font-bold">{amount}</dd>
    </dl>
  );
}
