import { Link, useLocation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { HTTP_STATUS, type Outcome } from "../http/outcome.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { Pagination } from "../ui/pagination.tsx";
import type { Route } from "./+types/intake-changes-page";
import { readFamilyIdParameter } from "./family-id-from-query.ts";
import { findRevisionsWithAudit, type ListedChange } from "./intake-revisions.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";

const TITLE = "Changes to the intake form";

/**
 * Loads what a family changed in its form over time. The administrator adds `?userId=`. With `?version=` and
 * `?question=`, loads one answer in full.
 */
export async function loader({ context, url: { searchParams: query, pathname } }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const familyId = unwrapOrThrow(readFamilyIdParameter(query));
  const isSingleAnswer = query.has("version");
  const { form, revisions, page, pageCount } = unwrapOrThrow(await findRevisionsWithAudit(person, query, familyId));
  const listPath = familyId === undefined ? pathname : `${pathname}?userId=${familyId}`;
  const formPath = person.isAdmin ? `/families/${form.userId}` : "/dashboard/intake-form";
  return {
    owner: person.isAdmin ? `${form.childName}, ${form.fullName}` : null,
    backPath: isSingleAnswer ? listPath : formPath,
    firstSent: formatPracticeDateTime(form.createdAt),
    revisions: revisions.map((revision) => ({ ...revision, at: formatPracticeDateTime(revision.at) })),
    page,
    pageCount,
    isAlone: isSingleAnswer,
  };
}

function unwrapOrThrow<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Response(outcome.message, { status: HTTP_STATUS[outcome.reason] });
  return outcome.value;
}

export default function IntakeChanges({ loaderData }: Route.ComponentProps) {
  const { owner, backPath, firstSent, revisions, page, pageCount, isAlone } = loaderData;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>{TITLE}</PageMeta>
      <h1>{TITLE}</h1>
      {owner && <p className="font-bold wrap-anywhere">{owner}</p>}
      {!isAlone && (
        <p>
          First sent in on {firstSent}.{" "}
          {revisions.length === 0
            ? "Nothing has changed since."
            : "The latest change comes first. The 20 latest are kept."}
        </p>
      )}
      {revisions.map(({ id, at, changes, isUnreadable }) => (
        <Card key={id} title={`Changed on ${at}`}>
          {isUnreadable && <p>What it said can’t be opened at the moment. Please call us.</p>}
          {changes.length > 0 && (
            <dl className="facts">
              {changes.map((change) => (
                <ChangeRow key={change.label} change={change} revision={{ id, at }} />
              ))}
            </dl>
          )}
        </Card>
      ))}
      <Pagination page={page} pageCount={pageCount} label="Pages of changes" />
      <p>
        <LinkButton to={backPath}>Back</LinkButton>
      </p>
    </main>
  );
}

type ChangeRowProps = { change: ListedChange; revision: { id: number; at: string } };

function ChangeRow({ change: { label, before, after, isShortened }, revision }: ChangeRowProps) {
  const query = new URLSearchParams(useLocation().search);
  query.delete("page");
  query.set("version", String(revision.id));
  query.set("question", label);
  return (
    <>
      <dt>{label}</dt>
      <dd className="space-y-1 whitespace-pre-line wrap-anywhere [unicode-bidi:plaintext]">
        <p className="text-muted">Before: {before.join(", ") || "no answer"}</p>
        <p>Now: {after.join(", ") || "no answer"}</p>
        {isShortened && (
          <Link to={`?${query}`}>
            Read it all
            <span className="sr-only">
              : {label}, changed on {revision.at}
            </span>
          </Link>
        )}
      </dd>
    </>
  );
}
