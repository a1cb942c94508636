import { Link } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { useSite } from "../practice/site.ts";
import { LinkButton } from "../ui/button.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { previewExport } from "./export-preview.server.ts";
import { DELETE_ACCOUNT_PATH, OWN_EXPORT_PATH } from "./data-rights-paths.ts";
import { findUnconfirmedEmail } from "./unconfirmed-email.server.ts";
import { UnconfirmedEmail } from "./unconfirmed-email.tsx";
import type { Route } from "./+types/your-data";

const TITLE = "Your data";

export async function loader({ context }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const [summary, unconfirmed] = await Promise.all([previewExport(person), findUnconfirmedEmail(person)]);
  return { ...summary, unconfirmed };
}

/** Page where a family downloads everything that is held about it. */
export default function YourData({ loaderData }: Route.ComponentProps) {
  const { documents, size, leftOut, acceptedTerms, unconfirmed } = loaderData;
  const { phone, email } = useSite().practice;
  return (
    <RouteDialog title={TITLE} closeTo="/dashboard/settings">
      <PageMeta>{TITLE}</PageMeta>
      <p>
        This is everything we hold about you and your child
        {leftOut || unconfirmed ? ", except for what is listed below as not in it" : ""}, in one ZIP file. It has a page
        that you can read, all your papers, and the same facts for other programs.
      </p>
      <dl className="facts">
        <dt>Papers in it</dt>
        <dd>{documents === 0 ? "None" : `${formatCountWithNoun(documents, "document")}, ${size}`}</dd>
        <dt>Also in it</dt>
        <dd>
          Your account, intake form, visits, follow-ups, payments, agreements, consultation requests, our messages,
          forms you have begun, the devices that are signed in, and who opened your child's file.
        </dd>
        {acceptedTerms.length > 0 && (
          <>
            <dt>Our terms and privacy policy</dt>
            {acceptedTerms.map((text) => (
              <dd key={text}>{text}</dd>
            ))}
          </>
        )}
        {leftOut && (
          <>
            <dt>Not in it</dt>
            <dd>
              {leftOut}. Ask us for them, and you get your copy within 30 days: <a href={`mailto:${email}`}>{email}</a>,{" "}
              {phone}.
            </dd>
          </>
        )}
      </dl>
      {unconfirmed && (
        <UnconfirmedEmail unconfirmed={unconfirmed}>
          <p>If we have invited that address, the invitation is not in it either.</p>
        </UnconfirmedEmail>
      )}
      <p>
        <LinkButton variant="primary" href={OWN_EXPORT_PATH}>
          Download everything we hold about you
        </LinkButton>
      </p>
      <p className="text-sm text-muted">
        Anyone who has the file can read it. On a computer that others use too, delete it when you are done.
      </p>
      <p>
        Is something wrong in it? <Link to="/dashboard/profile">Change your name or phone</Link>, send in the{" "}
        <Link to="/dashboard/intake-form">intake form</Link> again, or tell us.
      </p>
      <h3>Leave us</h3>
      <p>
        <LinkButton to={DELETE_ACCOUNT_PATH} preventScrollReset>
          Delete our account
        </LinkButton>
      </p>
    </RouteDialog>
  );
}
