import type { ReactNode } from "react";
import { Links, Outlet, Scripts, ScrollRestoration, useMatches, useRouteError, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/root";
import { AccountMenu } from "./accounts/account-menu.tsx";
import { findDisplayPreferences } from "./accounts/display-preferences.server.ts";
import { getPerson } from "./accounts/guards.server.ts";
import { consumeFlash } from "./accounts/sessions/flash.server.ts";
import { parseSignInRedirect } from "./accounts/sign-in/redirect-target.server.ts";
import { sessionMiddleware } from "./accounts/sessions/session.server.ts";
import { shouldShowNewTermsNote } from "./accounts/terms/should-show-new-terms-note.server.ts";
import { NewTermsNote } from "./accounts/terms/new-terms-note.tsx";
import stylesheet from "./app.css?url";
import { loadUnreadCounts } from "./dashboard/unread-counts.server.ts";
import { loadWaitingRoomData } from "./dashboard/waiting-room-data.server.ts";
import { WaitingRoomProvider } from "./dashboard/waiting-room-provider.tsx";
import { ErrorPage } from "./practice/error-page.tsx";
import { Footer } from "./practice/footer.tsx";
import { Header } from "./practice/header.tsx";
import { rootSiteData } from "./practice/root-site-data.server.ts";
import { OfflineBanner } from "./ui/offline-banner.tsx";
import { isUnhydratedPage } from "./ui/page-handle.ts";
import { unhydratedPageScriptUrl } from "./ui/unhydrated-page-script-url.ts";
import { ToastRegion } from "./ui/toast-region.tsx";

export const middleware = [sessionMiddleware];

export const links: Route.LinksFunction = () => [
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/static/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/static/touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const person = getPerson(context);
  return {
    ...rootSiteData(person, parseSignInRedirect(url)),
    unread: await loadUnreadCounts(person),
    waitingRoom: person?.isAdmin ? await loadWaitingRoomData(person) : null,
    displayPreferences: await findDisplayPreferences(context, request),
    hasNewTerms: shouldShowNewTermsNote(context, url.pathname),
    notice: await consumeFlash(context, url.pathname),
  };
}

export default function App({ loaderData }: Route.ComponentProps) {
  const { person, notice, waitingRoom: waiting } = loaderData;
  const isUnhydrated = isUnhydratedPage(useMatches());
  const header = <Header person={person} menu={person && <AccountMenu person={person} />} />;
  const page = (
    <>
      {loaderData.hasNewTerms && <NewTermsNote />}
      <ToastRegion notice={notice} />
      <Outlet />
    </>
  );
  return (
    <HtmlDocument displayPreferences={loaderData.displayPreferences}>
      {waiting && !isUnhydrated ? (
        <WaitingRoomProvider waitingRoom={waiting} header={header}>
          {page}
        </WaitingRoomProvider>
      ) : (
        <>
          {header}
          {page}
        </>
      )}
      <Footer />
    </HtmlDocument>
  );
}

/** Shows the error page for errors that no other boundary handles. */
export function ErrorBoundary() {
  const error = useRouteError();
  const root = useRouteLoaderData<typeof loader>("root");
  const person = root?.person ?? null;
  return (
    <HtmlDocument isError displayPreferences={root?.displayPreferences}>
      <Header person={person} menu={person && <AccountMenu person={person} />} />
      <ErrorPage error={error} />
      <Footer />
    </HtmlDocument>
  );
}

type HtmlDocumentProps = { children: ReactNode; displayPreferences?: string; isError?: boolean };

function HtmlDocument({ children, displayPreferences, isError: failed = false }: HtmlDocumentProps) {
  const isUnhydrated = isUnhydratedPage(useMatches(), failed);
  return (
    <html lang="en" data-display-preferences={displayPreferences || undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f8f3e9" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#101a1a" media="(prefers-color-scheme: dark)" />
        <Links />
        {isUnhydrated && <script src={unhydratedPageScriptUrl} defer />}
      </head>
      <body>
        {children}
        <OfflineBanner />
        {!isUnhydrated && <ScrollRestoration />}
        {!isUnhydrated && <Scripts />}
      </body>
    </html>
  );
}
