type Signed = { name: string; details: string | null; signedOn: string; endsOn: string | null; version: string };

/** Shows who signed which version, and when. */
export function SignatureDetails({ signed, detailsLabel }: { signed: Signed; detailsLabel?: string }) {
  const { name, details, signedOn, endsOn, version } = signed;
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
    </dl>
  );
}
