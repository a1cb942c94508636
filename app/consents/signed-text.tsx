import type { SignedConsent } from "./consents.server.ts";

/** A signature as it is displayed: instants and days are formatted. */
export type SignedText = {
  id: number;
  title: string;
  name: string;
  details: string | null;
  detailsLabel?: string;
  signedOn: string;
  endsOn: string | null;
  endedOn: string | null;
  version: string;
  paragraphs: SignedConsent["paragraphs"];
};

/** Shows the text that was signed, above its signature. */
export function SignedTextWithSignature({ signed }: { signed: SignedText }) {
  return (
    <>
      {signed.paragraphs.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <SignatureDetails signed={signed} />
    </>
  );
}

/** Shows who signed which version, and when. */
function SignatureDetails({ signed }: { signed: SignedText }) {
  const { name, details, detailsLabel, signedOn, endsOn, endedOn, version } = signed;
  return (
    <dl className="facts">
      {details && (
        <>
          <dt>{detailsLabel ?? "Details"}</dt>
          <dd className="wrap-anywhere whitespace-pre-line">{details}</dd>
        </>
      )}
      <dt>Signed by</dt>
      <dd className="wrap-anywhere">{name}</dd>
      <dt>Signed on</dt>
      <dd>{signedOn}</dd>
      <dt>Text of</dt>
      <dd>{version}</dd>
      {endsOn && (
        <>
          <dt>Ends on</dt>
          <dd>{endsOn}</dd>
        </>
      )}
      {endedOn && (
        <>
          <dt>Ended on</dt>
          <dd>{endedOn}</dd>
        </>
      )}
    </dl>
  );
}
