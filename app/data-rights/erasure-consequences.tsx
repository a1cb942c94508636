import { OWN_EXPORT_PATH } from "./data-rights-paths.ts";
import { UnconfirmedEmail } from "./unconfirmed-email.tsx";

type ErasurePreview = {
  visits: { id: number; title: string; when: string; refundSentence: string }[];
  graceDays: number;
  eraseOn: string;
  backups: number | null;
  unconfirmed: { email: string; hasMail: boolean } | null;
};

/** Explains what happens to an account that is deleted: immediately, after the grace period, and what is kept. */
export function ErasureConsequences({ preview }: { preview: ErasurePreview }) {
  const { visits, graceDays, eraseOn, backups, unconfirmed } = preview;
  return (
    <>
      <p>
        Do you want a copy first? <a href={OWN_EXPORT_PATH}>Download everything we hold about you</a>. Afterwards we
        can't give you one.
      </p>
      <h3>Right away</h3>
      <p>You are signed out on every device, and your calendar link ends.</p>
      <CanceledVisitsWithRefunds visits={visits} />
      <h3>{graceDays > 0 ? `On ${eraseOn}` : "Within minutes"}</h3>
      <p>
        We delete everything about you and your child: your account, the intake form, visits, papers, requests,
        messages, and our notes. This can't be undone.
        {graceDays > 0 && " Until then you can sign in and keep your account. Canceled visits do not come back."}
      </p>
      {unconfirmed && <UnconfirmedEmail unconfirmed={unconfirmed} />}
      <RetainedData backups={backups} />
    </>
  );
}

/** Lists the upcoming visits of an account that is deleted, each with its refund. */
export function CanceledVisitsWithRefunds({ visits }: Pick<ErasurePreview, "visits">) {
  if (visits.length === 0) return null;
  return (
    <>
      <p>These visits are canceled:</p>
      <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
        {visits.map(({ id, title, when, refundSentence }) => (
          <li key={id}>
            {title}, {when}. {refundSentence}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Lists what the law and backups retain of a deleted account, for the family and for the consultant. */
export function RetainedData({ backups }: Pick<ErasurePreview, "backups">) {
  return (
    <>
      <h3>What stays</h3>
      <ul className="list-disc space-y-1 pl-5">
        <li>
          Payments, because tax law asks for it: number, date, service and amount, without a name. The card company has
          its own records.
        </li>
        <li>A log of who opened and changed records. It has numbers and times, no names.</li>
        <li>
          That there was a request about privacy or accessibility, or that something went wrong with records: which of
          these, the days, and how it ended. The name and every word about it are removed.
        </li>
        <li>
          {backups === null
            ? "Locked backup copies, until newer ones take their place."
            : `Locked backup copies, until ${backups} newer ones have taken their place, most often ${backups} days.`}{" "}
          If one ever has to be used, the account is deleted from it again.
        </li>
      </ul>
    </>
  );
}
