import { recordListRead } from "../../audit/record-list-reads.server.ts";
import { createHash } from "node:crypto";
import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { buildFamilySearch } from "../../accounts/search/family-search.server.ts";
import type { Person } from "../../accounts/person.ts";
import type { AdminRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { listAdminAppointmentsWithAudit } from "../../booking/appointment-list/admin-appointments.server.ts";
import { appointmentSearchCondition } from "../../booking/appointment-list/appointment-search.server.ts";
import {
  needsOutcomeCondition,
  pendingNotificationCondition,
  UNPAID_CONDITION,
  upcomingOrRunningCondition,
} from "../../booking/appointment-list/appointment-conditions.server.ts";
import { nextDay, startOfDay, toWallTime } from "../../booking/wall-time.ts";
import { now } from "../../clock.ts";
import { addUndeliveredFlags } from "../../consultation-requests/consultation-request-notifications.server.ts";
import { shortenRequestTexts, toRequestRow } from "../../consultation-requests/request-rows.ts";
import { listTopPendingRequests } from "../../consultation-requests/request-ranking.server.ts";
import { db } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { addChildNames } from "../../intake/intake-child-details.server.ts";
import { currentWarnings } from "../../http/admin-warnings.server.ts";
import { countPages, PAGE_SIZE, splitSearchTerms } from "../../http/list-query.ts";
import { loadAttentionItems } from "./attention.server.ts";
import { MAX_LISTED_REQUESTS } from "./pending-consultation-requests.tsx";
import { type AppointmentFilters, readAppointmentFilters } from "../appointment-filters.ts";
import { loadTodaysVisits } from "./todays-visits.server.ts";

/** The urgent ones of these are also listed under what needs attention. */
const MAX_OVERVIEW_REQUESTS = 10;
/**
 * Number of rows in the appointment list without a search or a filter. It is small because the dashboard has more than
 * this list.
 */
const UNFILTERED_PAGE_SIZE = 10;

/**
 * Returns the data of the administrator's dashboard: today's visits, what needs attention, system warnings, counts,
 * open requests (urgent ones first) and one page of all appointments. `version` changes only when the other data
 * changes.
 */
export async function loadAdminOverview(person: Person, query: URLSearchParams) {
  const filters = readAppointmentFilters(query);
  const currentTime = now();
  await recordListRead();
  const [appointmentCount, documentCount, pending, appointments, today] = await Promise.all([
    db.appointment.count(),
    db.document.count(),
    listTopPendingRequests(person, MAX_OVERVIEW_REQUESTS, MAX_LISTED_REQUESTS),
    loadAppointmentsPage(person, filters),
    loadTodaysVisits(person),
  ]);
  const attention = await loadAttentionItems(person, today.startsAt);
  const listed = await addUndeliveredFlags(shortenRequestTexts(pending.requests));
  const requests = listed.map((request) => toRequestRow(request, env.practice));
  const overview = {
    warnings: [...currentWarnings()],
    appointmentCount,
    documentCount,
    pendingCount: pending.count,
    emergencyCount: pending.emergencyCount,
    urgentCount: pending.urgentCount,
    requests,
    filters,
    appointments,
    attention,
    today: await orderTodayVisits(person, today),
  };
  const version = createHash("sha256").update(JSON.stringify(overview)).digest("base64url");
  // The time changes with each request, so it is not part of the version.
  return { ...overview, asOf: currentTime.toISOString(), version };
}

/**
 * Arranges the day in the order that the administrator needs: running visits; ended visits without a status; the next
 * visit; all others. If no visit is left today, `firstLaterVisit` is the first visit of a later day.
 */
async function orderTodayVisits(person: Person, { title, visits }: Awaited<ReturnType<typeof loadTodaysVisits>>) {
  const running = visits.filter(({ timeStatus }) => timeStatus === "now");
  const past = visits.filter(({ timeStatus }) => timeStatus === "past");
  const [next, ...later] = visits.filter(({ timeStatus }) => timeStatus === "upcoming");
  const where = { appointmentDate: { gt: now() }, status: { not: "cancelled" } };
  const [firstLaterVisit] = next ? [] : await listAdminAppointmentsWithAudit(person, { where, order: "asc", take: 1 });
  return {
    title,
    visitCount: visits.length,
    unfinished: past.filter(({ needsOutcome }) => needsOutcome),
    running,
    next: next ?? null,
    later,
    earlier: past.filter(({ needsOutcome }) => !needsOutcome),
    firstLaterVisit: firstLaterVisit ?? null,
  };
}

/**
 * Lists upcoming appointments, soonest first, followed by past ones, latest first. With another sort order all of them
 * are one list.
 */
async function loadAppointmentsPage(person: Person, filters: AppointmentFilters) {
  const currentTime = now();
  const { search, when, status, sort } = filters;
  const isUnfiltered = search === "" && when === "any" && status === "any" && sort === "date";
  const pageSize = isUnfiltered ? UNFILTERED_PAGE_SIZE : PAGE_SIZE;
  const where = {
    AND: [
      await appointmentSearchCondition(await buildFamilySearch(splitSearchTerms(filters.search))),
      ...(await statusCondition(filters.status)),
      ...(isUnfiltered ? [excludeTodaysVisitsCondition(currentTime)] : []),
    ],
  };
  const upcomingWhere = { ...where, appointmentDate: { gt: currentTime } };
  const pastWhere = { ...where, appointmentDate: { lte: currentTime } };
  const [upcomingCount, pastCount] = await Promise.all([
    filters.when === "past" ? 0 : db.appointment.count({ where: upcomingWhere }),
    filters.when === "upcoming" ? 0 : db.appointment.count({ where: pastWhere }),
  ]);
  const total = upcomingCount + pastCount;
  const pageCount = countPages(total, pageSize);
  const skip = (Math.min(filters.page, pageCount) - 1) * pageSize;
  const page = { total, pageCount, isUnfiltered };
  // The search also finds rows by the child's name, so that name is shown.
  const addChildNamesIfSearched = async (rows: AdminRow[]) => (search === "" ? rows : addChildNames(person, rows));
  if (filters.sort !== "date") {
    const sortedWhere = { any: where, upcoming: upcomingWhere, past: pastWhere }[filters.when];
    const sorted = await listAdminAppointmentsWithAudit(person, {
      where: sortedWhere,
      order: filters.sort,
      skip,
      take: pageSize,
    });
    return { ...page, upcoming: [], past: [], sorted: await addChildNamesIfSearched(sorted) };
  }
  const upcoming = await listAdminAppointmentsWithAudit(person, {
    where: upcomingWhere,
    order: "asc",
    skip,
    take: Math.min(pageSize, upcomingCount - skip),
  });
  const past = await listAdminAppointmentsWithAudit(person, {
    where: pastWhere,
    order: "desc",
    skip: Math.max(0, skip - upcomingCount),
    take: Math.min(pageSize - upcoming.length, total - Math.max(skip, upcomingCount)),
  });
  const rows = await addChildNamesIfSearched([...upcoming, ...past]);
  return { ...page, upcoming: rows.slice(0, upcoming.length), past: rows.slice(upcoming.length), sorted: [] };
}

/**
 * Excludes the visits that the dashboard shows under Today. Canceled visits are never shown there, so they are
 * included.
 */
function excludeTodaysVisitsCondition(currentTime: Date): Prisma.AppointmentWhereInput {
  const { timeZone } = env.practice;
  const { day } = toWallTime(currentTime, timeZone);
  const today = { gte: startOfDay(day, timeZone), lt: startOfDay(nextDay(day), timeZone) };
  return { NOT: { appointmentDate: today, status: { not: "cancelled" } } };
}

/** Prisma filters for the visits whose badge shows the selected status. */
async function statusCondition(status: AppointmentFilters["status"]): Promise<Prisma.AppointmentWhereInput[]> {
  if (status === "any") return [];
  if (status === "open") return [await needsOutcomeCondition(now())];
  if (status === "unpaid") return [UNPAID_CONDITION];
  if (status === "not-told") return [pendingNotificationCondition(now())];
  if (status === "scheduled" || status === "rescheduled") return [await upcomingOrRunningCondition(status, now())];
  return [{ status }];
}
