import { Link } from "react-router";
import { appointmentDetailsPath, familyIntakeFormPath } from "../../booking/appointment-paths.ts";
import { useSite } from "../../practice/site.ts";
import { formatDate, formatLongPlainDate } from "../../ui/format-date-time.ts";
import { SearchGroup, ROW_LINK_CLASS } from "./search-group.tsx";
import type { SearchData } from "./practice-search.server.ts";

type TextSearchResultsProps = { results: NonNullable<SearchData["results"]>; backQuery: string };

/** Shows the notes, follow-ups, answers and intake forms that were found, each with an excerpt. */
export function TextSearchResults({
  results: { notes, followUps, answers, forms },
  backQuery,
}: TextSearchResultsProps) {
  const { timeZone } = useSite().practice;
  return (
    <>
      <SearchGroup title="Notes" found={notes}>
        {notes.rows.map(({ id, familyId, name, excerpt, createdAt }) => (
          <TextSearchResult
            key={id}
            path={`/families/${familyId}/notes/${id}/edit`}
            name={name}
            facts={formatDate(createdAt, timeZone)}
            excerpt={excerpt}
          />
        ))}
      </SearchGroup>
      <SearchGroup title="Follow-ups" found={followUps}>
        {followUps.rows.map(({ id, familyId, name, excerpt, dueDay, isDone }) => (
          <TextSearchResult
            key={id}
            path={`/families/${familyId}#follow-ups`}
            name={name}
            facts={isDone ? "done" : `by ${formatLongPlainDate(dueDay)}`}
            excerpt={excerpt}
          />
        ))}
      </SearchGroup>
      <SearchGroup title="Answers before visits" found={answers}>
        {answers.rows.map(({ id, name, excerpt, start }) => (
          <TextSearchResult
            key={id}
            path={`${appointmentDetailsPath(id)}${backQuery}`}
            name={name}
            facts={formatDate(start, timeZone)}
            excerpt={excerpt}
          />
        ))}
      </SearchGroup>
      <SearchGroup title="Intake forms" found={forms}>
        {forms.rows.map(({ id, familyId, name, excerpt, updatedAt }) => (
          <TextSearchResult
            key={id}
            path={familyIntakeFormPath(familyId, backQuery)}
            name={name}
            facts={formatDate(updatedAt, timeZone)}
            excerpt={excerpt}
          />
        ))}
      </SearchGroup>
    </>
  );
}

type TextSearchResultProps = { path: string; name: string; facts: string; excerpt: string };

function TextSearchResult({ path, name, facts, excerpt }: TextSearchResultProps) {
  return (
    <li className="row relative">
      <div className="min-w-0 flex-1 basis-56">
        <Link to={path} preventScrollReset className={ROW_LINK_CLASS}>
          {name}
          <span className="sr-only">, {facts}</span>
        </Link>
        <p className="wrap-anywhere">{excerpt}</p>
      </div>
      <span className="text-muted" aria-hidden="true">
        {facts}
      </span>
    </li>
  );
}
