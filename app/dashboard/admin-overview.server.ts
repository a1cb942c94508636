import { createHash } from "node:crypto";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import type { Person } from "../accounts/person.ts";
import { listAllAppointments } from "../booking/admin-appointments.server.ts";
import { now } from "../clock.ts";
import { toRequestRow } from "../consultations/request-rows.ts";
import { waitingRequests } from "../consultations/ranking.server.ts";
import { db } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { currentWarnings } from "../http/system-checks.server.ts";
import { PAGE_SIZE, countPages, searchTerms } from "../http/list-query.ts";
import { containsText, findIdsContaining } from "../db/search.server.ts";
import { type Filters, readFilters } from "./filters.ts";

const MAX_REQUESTS = 10;

/**
 * The data of the administrator's dashboard: system warnings, counts, the first pending requests, and a page of
 * appointments. `version` is a hash of it, for polling.
 */
export async function adminOverview(person: Person, query: URLSearchParams) {
  const filters = readFilters(query);
  const [appointmentCount, documentCount, pending, appointments] = await Promise.all([
    db.appointment.count(),
    db.document.count(),
    waitingRequests(person, MAX_REQUESTS),
    appointmentsPage(person, filters),
  ]);
  const requests = pending.requests.map((request) => toRequestRow(request, env.practice));
  const overview = {
    warnings: [...currentWarnings()],
    total: appointmentCount,
    documents: documentCount,
    pendingCount: pending.count,
    pressingLater: pending.pressingLater,
    requests,
    filters,
    appointments,
  };
  return { ...overview, version: createHash("sha256").update(JSON.stringify(overview)).digest("base64url") };
}

/** Upcoming appointments, soonest first, followed by past ones, latest first. */
async function appointmentsPage(person: Person, filters: Filters) {
  const currentTime = now();
  const where = { AND: [await searchCondition(searchTerms(filters.search)), ...statusCondition(filters.status)] };
  const upcomingWhere = { ...where, appointmentDate: { gt: currentTime } };
  const pastWhere = { ...where, appointmentDate: { lte: currentTime } };
  const [upcomingCount, pastCount] = await Promise.all([
    filters.when === "past" ? 0 : db.appointment.count({ where: upcomingWhere }),
    filters.when === "upcoming" ? 0 : db.appointment.count({ where: pastWhere }),
  ]);
  const total = upcomingCount + pastCount;
  const offset = (Math.min(filters.page, countPages(total)) - 1) * PAGE_SIZE;
  const upcomingRows = await listAllAppointments(person, {
    where: upcomingWhere,
    order: "asc",
    skip: offset,
    take: Math.min(PAGE_SIZE, upcomingCount - offset),
  });
  const pastRows = await listAllAppointments(person, {
    where: pastWhere,
    order: "desc",
    skip: Math.max(0, offset - upcomingCount),
    take: Math.min(PAGE_SIZE - upcomingRows.length, upcomingCount + pastCount - Math.max(offset, upcomingCount)),
  });
  return { total, pageCount: countPages(total), upcoming: upcomingRows, past: pastRows };
}

const ACCOUNT = { select: { firstName: true, lastName: true, email: true } } as const;

/** Titles and names are searched in the database; notes, which are encrypted, only in the rows the server decrypts. */
async function searchCondition(words: string[]): Promise<Prisma.AppointmentWhereInput> {
  if (words.length === 0) return {};
  const ids = await findIdsContaining(words, async (before, take) => {
    const where = { id: before, notes: { not: null } };
    const select = { id: true, title: true, notes: true, user: ACCOUNT };
    const rows = await db.appointment.findMany({ where, orderBy: { id: "desc" }, take, select });
    return rows.map(({ id, title, notes, user }) => ({ id, texts: [title, notes, ...Object.values(user ?? {})] }));
  });
  return { OR: [{ AND: words.map(matchesTerm) }, { id: { in: ids } }] };
}

function matchesTerm(term: string): Prisma.AppointmentWhereInput {
  const contains = containsText(term);
  const accountFields = [{ firstName: contains }, { lastName: contains }, { email: contains }];
  return { OR: [{ title: contains }, ...accountFields.map((user) => ({ user }))] };
}

/** A past appointment with the status *scheduled* is shown as completed, so the filter treats it as completed. */
function statusCondition(status: Filters["status"]): Prisma.AppointmentWhereInput[] {
  if (status === "any") return [];
  if (status === "scheduled") return [{ status, appointmentDate: { gt: now() } }];
  if (status === "completed") return [{ OR: [{ status }, { status: "scheduled", appointmentDate: { lte: now() } }] }];
  return [{ status }];
}
