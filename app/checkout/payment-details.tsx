import type { ReactNode } from "react";
import { useSite } from "../practice/site.ts";
import { ZonedTime } from "../ui/zoned-time.tsx";

type PaymentDetailsProps = { title: string; start: string | null; length: string; amount: string; covers: string };

/** The booking that is about to be paid for. */
export function PaymentDetails({ title, start, length, amount, covers }: PaymentDetailsProps) {
  const { timeZone } = useSite().practice;
  return (
    <dl className="notice grid gap-y-1">
      <Fact name="Service">
        <strong className="wrap-anywhere">{title || "Consultation"}</strong>
      </Fact>
      <Fact name="Date">
        {start ? (
          <>
            <ZonedTime instant={start} zone={timeZone} inSentence />, <span className="inline-block">{length}</span>
          </>
        ) : (
          "TBD"
        )}
      </Fact>
      <Fact name="Amount">
        <strong>{amount}</strong>
      </Fact>
      <Fact name="Pays for">{covers}</Fact>
      <Fact name="Next">You are booked at once. We show you how to join, and your receipt.</Fact>
    </dl>
  );
}

/** Name and value wrap onto two lines with large text. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-4">
      <dt className="w-18">{name}</dt>
      <dd className="min-w-0 flex-1 basis-36">{children}</dd>
    </div>
  );
}
