import { Link } from "react-router";
import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import type { FamilyPageData } from "./family-page-data.server.ts";

type Consents = FamilyPageData["consents"];

/** Lists the agreements that the family has signed and those that have ended, with links to the texts that it signed. */
export function FamilyConsents({ familyId, consents }: { familyId: number; consents: Consents }) {
  return (
    <Card title="Agreements">
      <ul className="rows">
        {consents.offered.map(({ id, title, signed, isOutdated }) => (
          <li key={id} className="row items-start">
            <div className="min-w-0 flex-1 basis-72">
              <p className="flex flex-wrap items-center gap-2 font-bold">
                {title}
                {signed ? <Badge color="green">signed</Badge> : <Badge>not signed</Badge>}
                {isOutdated && <Badge color="yellow">an earlier text</Badge>}
              </p>
              {signed && <ConsentSignatureDetails signed={signed} />}
            </div>
            {signed && (
              <div className="row-actions">
                <LinkButton
                  to={`/families/${familyId}/consents/${signed.id}`}
                  preventScrollReset
                  aria-label={`Read or print: ${title}`}
                >
                  Read or print
                </LinkButton>
                <LinkButton
                  to={`/families/${familyId}/consents/${signed.id}/withdraw`}
                  preventScrollReset
                  aria-label={`The family took it back: ${title}`}
                >
                  The family took it back
                </LinkButton>
              </div>
            )}
          </li>
        ))}
      </ul>
      {consents.ended.length > 0 && <EndedConsents familyId={familyId} ended={consents.ended} />}
    </Card>
  );
}

function ConsentSignatureDetails({ signed }: { signed: NonNullable<Consents["offered"][number]["signed"]> }) {
  const { timeZone } = useSite().practice;
  return (
    <>
      <p className="wrap-anywhere">
        By {signed.signedName}, <ZonedTime instant={signed.signedAt} zone={timeZone} inSentence />
        {signed.endsAt && (
          <>
            . It ends on <ZonedTime instant={signed.endsAt} zone={timeZone} inSentence />
          </>
        )}
      </p>
      {signed.details && <p className="wrap-anywhere whitespace-pre-line">For: {signed.details}</p>}
    </>
  );
}

function EndedConsents({ familyId, ended }: Pick<Consents, "ended"> & { familyId: number }) {
  const { timeZone } = useSite().practice;
  return (
    <details className="disclosure">
      <summary>What no longer counts</summary>
      <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
        {ended.map(({ id, title, signedAt, endedAt }) => (
          <li key={id}>
            <Link to={`/families/${familyId}/consents/${id}`} preventScrollReset>
              {title}
            </Link>
            : from <ZonedTime instant={signedAt} zone={timeZone} inSentence /> to{" "}
            <ZonedTime instant={endedAt} zone={timeZone} inSentence />
          </li>
        ))}
      </ul>
    </details>
  );
}
