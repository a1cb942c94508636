import { type ReactNode, Suspense, useEffect } from "react";
import { findMainLinkByHref, openDetailsAndFocus } from "../ui/behaviors/focus-restoration.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import type { PageBehindDialogData } from "./page-behind-dialog.server.ts";

const CalendarPage = lazyComponent(async () => (await import("./calendar/calendar-page.tsx")).CalendarPage);
const FamilyPage = lazyComponent(async () => (await import("../families/family-page.tsx")).FamilyPage);
const BillingOverviewPage = lazyComponent(
  async () => (await import("../checkout/billing/billing-overview-page.tsx")).BillingOverviewPage,
);
const RequestsPage = lazyComponent(
  async () => (await import("../consultation-requests/consultation-request-list-page.tsx")).ConsultationRequestsPage,
);
const SearchPage = lazyComponent(async () => (await import("./search/search-page.tsx")).SearchPage);

type PageBehindDialogProps = { pageData: PageBehindDialogData; dialog: ReactNode };

/** Shows the administrator's page from which a dialog of the dashboard was opened, behind that dialog. */
export function PageBehindDialog({ pageData, dialog }: PageBehindDialogProps) {
  useEffect(() => {
    const opened = location.pathname + location.search;
    return () => focusLink(opened);
  }, []);
  return (
    <Suspense>
      {pageData.page === "calendar" && <CalendarPage data={pageData.data} dialog={dialog} />}
      {pageData.page === "family" && <FamilyPage family={pageData.data} dialog={dialog} />}
      {pageData.page === "money" && <BillingOverviewPage data={pageData.data} dialog={dialog} />}
      {pageData.page === "search" && <SearchPage data={pageData.data} dialog={dialog} />}
      {pageData.page === "requests" && <RequestsPage data={pageData.data} dialog={dialog} />}
    </Suspense>
  );
}

/** Moves the focus to the link to the dialog's address, because the page is rendered again when the dialog closes. */
function focusLink(path: string) {
  const link = findMainLinkByHref(path);
  if (link) openDetailsAndFocus(link);
}
