import { useContext } from "react";
import { isRouteErrorResponse, useRouteLoaderData } from "react-router";
import { LinkButton } from "../ui/button.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { RequestIdContext } from "../ui/request-id-context.ts";
import { phoneHref } from "./site-links.ts";
import type { Site } from "./site.ts";
import { ErrorPageArt } from "./brand-art.tsx";

type ErrorText = { heading: string; text: string };

const SERVER_ERROR_TEXT: ErrorText = {
  heading: "Something went wrong on our side",
  text: "Nothing you did caused this. Please try again in a few minutes. What you had saved is still there.",
};

const ERROR_TEXTS: Record<number, ErrorText> = {
  400: { heading: "That request can't be read", text: "Please go back, load the page again and try once more." },
  403: {
    heading: "You don't have access to this page",
    text: "You're signed in, but this page belongs to someone else.",
  },
  404: {
    heading: "404 Page Not Found",
    text: "There is nothing at this address. It may be mistyped, or the page has moved.",
  },
  405: { heading: "That can't be done here", text: "Please go back, load the page again and try once more." },
  413: { heading: "That is too large", text: "Please go back and send less at once." },
};

/** Shows the page for any error: what happened, what to do next, and whom to call. Reveals no internals. */
export function ErrorPage({ error }: { error: unknown }) {
  return <HttpErrorStatusPage status={isRouteErrorResponse(error) ? error.status : 500} />;
}

export function HttpErrorStatusPage({ status }: { status: number }) {
  const errorText = ERROR_TEXTS[status] ?? SERVER_ERROR_TEXT;
  const { heading, text } = errorText;
  const site = useRouteLoaderData("root") as Site | undefined;
  const practice = site?.practice;
  const requestId = useContext(RequestIdContext);
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>{heading}</PageMeta>
      <ErrorPageArt />
      <h1>{heading}</h1>
      <p className="max-w-read text-lg text-balance">{text}</p>
      {practice && (
        <p>
          You can also call <a href={phoneHref(practice.phone)}>{practice.phone}</a> or write to{" "}
          <a href={`mailto:${practice.email}`}>{practice.email}</a>.
        </p>
      )}
      {errorText === SERVER_ERROR_TEXT && requestId && (
        <p>
          Mention this number when you call: <strong className="tabular-nums">{requestId}</strong>
        </p>
      )}
      <p>
        <LinkButton variant="primary" href="/">
          Go to the home page
        </LinkButton>
      </p>
    </main>
  );
}
