import { requirePerson } from "../accounts/guards.server.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/changes-page";
import type { Change } from "./changes.ts";
import { parseFamilyId } from "./family-id.ts";
import { listRevisions } from "./revisions.server.ts";
import { formatPracticeTime } from "../practice/format-time.server.ts";

const TITLE = "Changes to the intake form";

/** What a family changed in its form over time; the administrator adds `?userId=`. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const familyId = parseFamilyId(url.searchParams);
  const found = familyId.ok ? await listRevisions(person, familyId.value) : familyId;
  if (!found.ok) throw new Response(found.message, { status: HTTP_STATUS[found.reason] });
  const { form, revisions } = found.value;
  const when = (instant: Date) => formatPracticeTime(instant);
  return {
    owner: person.isAdmin ? `${form.childName}, ${form.fullName}` : null,
    backPath: person.isAdmin ? `/families/${form.userId}` : "/dashboard/intake-form",
    firstSent: when(form.createdAt),
    revisions: revisions.map((revision) => ({ ...revision, at: when(revision.at) })),
  };
}

export default function IntakeChanges({ loaderData: { owner, backPath, firstSent, revisions } }: Route.ComponentProps) {
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageTitle>{TITLE}</PageTitle>
      <h1>{TITLE}</h1>
      {owner && <p className="font-bold wrap-anywhere">{owner}</p>}
      <p>
        First sent in on {firstSent}.{" "}
        {revisions.length === 0
          ? "Nothing was changed since."
          : "The latest change comes first. The 20 latest are kept."}
      </p>
      {revisions.map(({ at, changes, isUnreadable }, index) => (
        <Card key={index} title={`Changed on ${at}`}>
          {isUnreadable && <p>What it said can’t be opened at the moment. Please call us.</p>}
          {changes.length > 0 && (
            <dl className="facts">
              {changes.map((change) => (
                <ChangeRow key={change.label} change={change} />
              ))}
            </dl>
          )}
        </Card>
      ))}
      <p>
        <LinkButton to={backPath}>Back</LinkButton>
      </p>
    </main>
  );
}

function ChangeRow({ change: { label, before, after } }: { change: Change }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="space-y-1 whitespace-pre-line wrap-anywhere [unicode-bidi:plaintext]">
        <p className="text-muted">Before: {before.join(", ") || "no answer"}</p>
        <p>Now: {after.join(", ") || "no answer"}</p>
      </dd>
    </>
  );
}
