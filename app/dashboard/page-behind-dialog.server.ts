import type { Person } from "../accounts/person.ts";
import { recordListRead } from "../audit/record-list-reads.server.ts";
import { loadBillingOverviewWithAudit } from "../checkout/billing/billing-overview-page.server.ts";
import { loadConsultationRequestsPage } from "../consultation-requests/consultation-request-list.server.ts";
import { openFamilyPageAndMarkReviewed } from "../families/family-page-data.server.ts";
import { loadCalendarPage } from "./calendar/calendar.server.ts";
import { searchPractice } from "./search/practice-search.server.ts";
import { pageBehindDialogPath } from "./return-path.ts";

export type PageBehindDialogData = NonNullable<Awaited<ReturnType<typeof loadPageBehindDialog>>>;

/**
 * Loads the administrator's page from which a dialog of the dashboard was opened, with the same data as the page's own
 * loader. Null for the dashboard itself, and for a page that no longer exists.
 */
export async function loadPageBehindDialog(person: Person, url: URL) {
  const path = pageBehindDialogPath(url);
  if (path === null) return null;
  const { pathname, searchParams } = new URL(path, url);
  const [, section, id] = pathname.split("/");
  if (section === "families" && id !== undefined) {
    const family = await openFamilyPageAndMarkReviewed(person, id, searchParams);
    return family.ok ? { path, page: "family" as const, data: family.value } : null;
  }
  await recordListRead();
  if (section === "calendar" && id === undefined)
    return { path, page: "calendar" as const, data: await loadCalendarPage(person, searchParams) };
  if (section === "money")
    return { path, page: "money" as const, data: await loadBillingOverviewWithAudit(person, searchParams) };
  if (section === "search") return { path, page: "search" as const, data: await searchPractice(person, searchParams) };
  if (section === "requests")
    return { path, page: "requests" as const, data: await loadConsultationRequestsPage(person, searchParams) };
  return null;
}
