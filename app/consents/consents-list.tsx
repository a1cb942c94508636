import { Link } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/consents-list";
import { consentPath } from "./consent-paths.ts";
import { consentStates, listConsentSignatures } from "./consents.server.ts";
import { describeWhoEndedConsents } from "./who-ended-consents.server.ts";

const TITLE = "Agreements";

export async function loader({ context }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const states = consentStates(await listConsentSignatures(person, person.id));
  const endDescriptions = await describeWhoEndedConsents(
    person.id,
    states.flatMap(({ ended }) => ended ?? []),
  );
  return states.map(({ signed, ended, ...state }) => ({
    ...state,
    signedOn: signed && formatPracticeDateTime(signed.signedAt),
    end: ended && (endDescriptions.get(ended.id) ?? null),
  }));
}

/** Shows the documents that a family can sign or has signed. */
export default function ConsentsList({ loaderData: states }: Route.ComponentProps) {
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>{TITLE}</PageMeta>
      <h1>{TITLE}</h1>
      <p>Each of these is your choice. Read it, sign it if you agree, and take it back whenever you like.</p>
      <Card title="What you can sign">
        <ul className="rows">
          {states.map(({ id, title, summary, signedOn, end: endDescription, isOutdated }) => (
            <li key={id} className="row items-start">
              <div className="min-w-0 flex-1 basis-72">
                <p className="font-bold">
                  <Link to={consentPath(id)}>{title}</Link>
                </p>
                <p>{summary}</p>
                {endDescription && <p className="text-muted">{endDescription}</p>}
              </div>
              <p className="row-actions">
                {signedOn ? <Badge color="green">signed</Badge> : <Badge color="blue">not signed</Badge>}
                {isOutdated && <Badge color="yellow">the text has changed</Badge>}
                {signedOn && <span className="text-muted">{signedOn}</span>}
              </p>
            </li>
          ))}
        </ul>
      </Card>
      <p>
        <LinkButton to="/dashboard/settings">Account Settings</LinkButton>
      </p>
    </main>
  );
}
