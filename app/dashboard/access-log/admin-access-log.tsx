import { useId } from "react";
import { Link } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { ACTION_KINDS } from "../../audit/audit-actions.ts";
import { useSite } from "../../practice/site.ts";
import { AdminListPage } from "../../ui/admin-list-page.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { Route } from "./+types/admin-access-log";
import { loadAdminAccessLogPage } from "./admin-access-log.server.ts";

const KIND_LABELS: Record<(typeof ACTION_KINDS)[number], string> = {
  any: "Anything",
  read: "Opened or downloaded",
  change: "Added, changed, deleted",
  money: "Money",
  "sign-in": "Sign-ins and passwords",
  refused: "Refused",
  practice: "The practice itself",
};

export function loader({ context, url }: Route.LoaderArgs) {
  return loadAdminAccessLogPage(requirePerson(context), url.searchParams);
}

/** Shows the whole access log to the administrator. */
export default function AdminAccessLog({ loaderData }: Route.ComponentProps) {
  const { timeZone } = useSite().practice;
  const { search, kind, day, familyId, familyName, total, hasOlder, olderThan, page, pageCount, entries } = loaderData;
  return (
    <AdminListPage
      title={familyName ? `Access log: ${familyName}` : "Access log"}
      nouns={["entry", "entries"]}
      search={{
        action: "/activity",
        label: "Family",
        hint: "A name, an email address, or the number of the family.",
        search,
        isFiltered: search !== "" || kind !== "any" || day !== "" || familyId !== null,
        filters: [
          {
            name: "kind",
            label: "What",
            value: kind,
            options: ACTION_KINDS.map((value) => ({ value, label: KIND_LABELS[value] })),
          },
        ],
        children: <DayField day={day} />,
      }}
      emptyText="Each time somebody opens, changes or downloads a record, it is recorded here."
      total={total}
      hasOlder={hasOlder}
      olderThan={olderThan}
      page={page}
      pageCount={pageCount}
    >
      {entries.map(({ sequence, at, who, what, object, objectPath, family }) => (
        <li key={sequence} className="row">
          <div className="min-w-0 flex-1 basis-72 wrap-anywhere">
            <p>
              <strong>{who}</strong> {what}
            </p>
            <p className="flex flex-wrap gap-x-4 text-muted">
              {family && (
                <Link className="inline-block py-2.5" to={`/families/${family.id}`}>
                  {family.name}
                </Link>
              )}
              {object && !objectPath && <span>{object}</span>}
              {objectPath && (
                <Link className="inline-block py-2.5" to={objectPath}>
                  {object}
                </Link>
              )}
            </p>
          </div>
          <p className="text-muted">
            <ZonedTime instant={at} zone={timeZone} />
          </p>
        </li>
      ))}
    </AdminListPage>
  );
}

function DayField({ day }: { day: string }) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Day
      </label>
      <input key={day} id={id} type="date" name="day" className="input" defaultValue={day} />
    </div>
  );
}
