import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatLongDay } from "../ui/dates.ts";
import { ZonedTime } from "../ui/zoned-time.tsx";
import type { FamilyPageData } from "./family.server.ts";

type Consents = FamilyPageData["consents"];

/** Lists the agreements that the family has signed, with the text above its signature, and those that have ended. */
export function FamilyConsents({ familyId, consents }: { familyId: number; consents: Consents }) {
  return (
    <Card title="Agreements">
      <ul className="rows">
        {consents.offered.map(({ id, title, signed, isOutdated }) => (
          <li key={id} className="row items-start">
            <div className="min-w-0 flex-1 basis-72">
              <p className="flex flex-wrap items-center gap-2 font-bold">
                {title}
                {signed ? <Badge tone="green">signed</Badge> : <Badge>not signed</Badge>}
                {isOutdated && <Badge tone="yellow">an earlier text</Badge>}
              </p>
              {signed && <Signature signed={signed} />}
            </div>
            {signed && (
              <LinkButton
                to={`/families/${familyId}/consents/${signed.id}/withdraw`}
                preventScrollReset
                aria-label={`The family took it back: ${title}`}
              >
                The family took it back
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
      {consents.ended.length > 0 && <EndedConsents ended={consents.ended} />}
    </Card>
  );
}

function Signature({ signed }: { signed: NonNullable<Consents["offered"][number]["signed"]> }) {
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
      <details className="disclosure">
        <summary>
          Read the text<span className="sr-only"> of {signed.title}</span>
        </summary>
        <p className="text-muted">Text of {formatLongDay(signed.version)}</p>
        {signed.paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </details>
    </>
  );
}

function EndedConsents({ ended }: Pick<Consents, "ended">) {
  const { timeZone } = useSite().practice;
  return (
    <details className="disclosure">
      <summary>What does not count any more</summary>
      <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
        {ended.map(({ id, title, signedAt, endedAt }) => (
          <li key={id}>
            {title}: from <ZonedTime instant={signedAt} zone={timeZone} inSentence /> to{" "}
            <ZonedTime instant={endedAt} zone={timeZone} inSentence />
          </li>
        ))}
      </ul>
    </details>
  );
}
