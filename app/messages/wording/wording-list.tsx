import { Link } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/wording-list";
import { listEditableWordings } from "./edit-wording.server.ts";

const TITLE = "Wording of messages";

export async function loader() {
  return { wordings: await listEditableWordings() };
}

/** Page that lists the messages to families, each with a link to edit its wording. */
export default function WordingList({ loaderData }: Route.ComponentProps) {
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>{TITLE}</PageMeta>
      <h1>{TITLE}</h1>
      <p>
        You can say these messages, which families get by mail and in the portal, in your own words. Other messages stay
        as they are: those to a family whose account is closed, those to an address that an account no longer has, and
        the one that a deletion was stopped by you or by taking back a change of address.
      </p>
      <Card title="Messages to families">
        <ul className="rows">
          {loaderData.wordings.map(({ name, title, triggerDescription, isEdited }) => (
            <li key={name} className="row">
              <div className="min-w-0 flex-1 basis-56">
                <p className="flex flex-wrap items-center gap-2">
                  <strong>{title}</strong>
                  {isEdited && <Badge color="green">Your words</Badge>}
                </p>
                <p className="text-sm text-muted">{triggerDescription}.</p>
              </div>
              <Link className="button button-secondary" to={`/mail-wording/${name}`}>
                Edit<span className="sr-only"> {title}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      <p>
        <Link to="/dashboard/settings">Back to Account Settings</Link>
      </p>
    </main>
  );
}
