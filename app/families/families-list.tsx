import { recordListRead } from "../audit/record-list-reads.server.ts";
import { Link } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { invitationsPath } from "../booking/appointment-paths.ts";
import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import { AdminListPage } from "../ui/admin-list-page.tsx";
import type { Route } from "./+types/families-list";
import { listFamilies } from "./list-families.server.ts";
import { INTAKE_FILTERS, VISIT_FILTERS } from "./family-filter-options.ts";

const INTAKE_FILTER_LABELS: Record<(typeof INTAKE_FILTERS)[number], string> = {
  any: "Any",
  yes: "Filled out",
  no: "Not yet",
  new: "New or changed",
};

const VISIT_FILTER_LABELS: Record<(typeof VISIT_FILTERS)[number], string> = {
  any: "Any",
  owes: "Owes money",
  "nothing-booked": "Nothing booked",
  "follow-up-due": "Follow-up due",
};

export async function loader({ context, url }: Route.LoaderArgs) {
  await recordListRead();
  return listFamilies(requirePerson(context), url.searchParams);
}

export default function FamiliesPage({ loaderData }: Route.ComponentProps) {
  const { timeZone } = useSite().practice;
  const { search, intake: intakeFilter, visits: visitsFilter, total, page, pageCount, families } = loaderData;
  const isFiltered = search !== "" || intakeFilter !== "any" || visitsFilter !== "any";
  return (
    <AdminListPage
      title="Families"
      nouns={["family", "families"]}
      search={{
        action: "/families",
        label: "Search families",
        hint: "A name, a child's name, an email address or a phone number.",
        search,
        isFiltered,
        filters: [
          {
            name: "intake",
            label: "Intake form",
            value: intakeFilter,
            options: INTAKE_FILTERS.map((value) => ({ value, label: INTAKE_FILTER_LABELS[value] })),
          },
          {
            name: "visits",
            label: "Visits",
            value: visitsFilter,
            options: VISIT_FILTERS.map((value) => ({ value, label: VISIT_FILTER_LABELS[value] })),
          },
        ],
      }}
      emptyText="Families show up here once they have an account."
      action={<LinkButton to={invitationsPath()}>Invite a family</LinkButton>}
      total={total}
      page={page}
      pageCount={pageCount}
    >
      {families.map((family) => (
        <li key={family.id} className="row relative">
          <div className="min-w-0 flex-1 basis-72">
            <Link
              to={`/families/${family.id}`}
              className="font-bold text-primary underline decoration-1 underline-offset-4 wrap-anywhere after:absolute after:inset-0 hover:decoration-2"
            >
              {family.name}
            </Link>
            {family.childName && <span className="wrap-anywhere"> · Child: {family.childName}</span>}
            <p className="flex flex-wrap gap-x-4 text-muted">
              <span>
                {family.nextVisitAt ? (
                  <>
                    Next visit <ZonedTime instant={family.nextVisitAt} zone={timeZone} inSentence />
                  </>
                ) : (
                  "Nothing booked"
                )}
              </span>
              {family.lastVisitAt && (
                <span>
                  Last <ZonedTime instant={family.lastVisitAt} zone={timeZone} inSentence />
                </span>
              )}
            </p>
          </div>
          {family.amountDueText && <Badge color="yellow">{family.amountDueText}</Badge>}
          {family.isClosed && <Badge color="grey">closed</Badge>}
          {family.isErasurePending && <Badge color="yellow">leaving</Badge>}
          {!family.childName && <Badge color="yellow">no intake form</Badge>}
        </li>
      ))}
    </AdminListPage>
  );
}
