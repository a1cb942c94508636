import { createHash } from "node:crypto";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import type { Person } from "../accounts/person.ts";
import { listForAdmin } from "../booking/admin-list.server.ts";
import { now } from "../clock.ts";
import { requestRow } from "../consultations/request-rows.ts";
import { waitingRequests } from "../consultations/ranking.server.ts";
import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import { currentWarnings } from "../http/attention.server.ts";
import { PAGE_SIZE, countPages, searchTerms } from "../http/list-query.ts";
import { containsText, idsHolding } from "../http/matching.server.ts";
import { type Filters, readFilters } from "./filters.ts";

const MOST_REQUESTS = 10;

/**
 * What the consultant sees first: what the house itself needs, the figures, the requests that wait, the pressing ones first, and one page of all
 * appointments. `version` is the same for as long as nothing of it changes.
 */
export async function adminOverview(person: Person, query: URLSearchParams) {
  const filters = readFilters(query);
  const [total, documents, waiting, appointments] = await Promise.all([
    db.appointment.count(),
    db.document.count(),
    waitingRequests(person, MOST_REQUESTS),
    pageOfAppointments(person, filters),
  ]);
  const requests = waiting.requests.map((request) => requestRow(request, env.practice));
  const overview = {
    troubles: [...currentWarnings()],
    total,
    documents,
    waiting: waiting.count,
    pressingLater: waiting.pressingLater,
    requests,
    filters,
    appointments,
  };
  return { ...overview, version: createHash("sha256").update(JSON.stringify(overview)).digest("base64url") };
}

/** Those to come, the next one first; after them the earlier ones, the latest first. */
async function pageOfAppointments(person: Person, filters: Filters) {
  const time = now();
  const where = { AND: [await holdsWords(searchTerms(filters.question)), ...ofStatus(filters.status)] };
  const coming = { ...where, appointmentDate: { gt: time } };
  const earlier = { ...where, appointmentDate: { lte: time } };
  const [ahead, behind] = await Promise.all([
    filters.when === "past" ? 0 : db.appointment.count({ where: coming }),
    filters.when === "upcoming" ? 0 : db.appointment.count({ where: earlier }),
  ]);
  const found = ahead + behind;
  const from = (Math.min(filters.page, countPages(found)) - 1) * PAGE_SIZE;
  const next = await listForAdmin(person, {
    where: coming,
    order: "asc",
    skip: from,
    take: Math.min(PAGE_SIZE, ahead - from),
  });
  const last = await listForAdmin(person, {
    where: earlier,
    order: "desc",
    skip: Math.max(0, from - ahead),
    take: Math.min(PAGE_SIZE - next.length, ahead + behind - Math.max(from, ahead)),
  });
  return { found, pages: countPages(found), coming: next, earlier: last };
}

const ACCOUNT = { select: { firstName: true, lastName: true, email: true } } as const;

/** Titles and names are found among all appointments, notes in those that the server can look through. */
async function holdsWords(words: string[]): Promise<Prisma.AppointmentWhereInput> {
  if (words.length === 0) return {};
  const ids = await idsHolding(words, async (before, take) => {
    const where = { id: before, notes: { not: null } };
    const select = { id: true, title: true, notes: true, user: ACCOUNT };
    const rows = await db.appointment.findMany({ where, orderBy: { id: "desc" }, take, select });
    return rows.map(({ id, title, notes, user }) => ({ id, texts: [title, notes, ...Object.values(user ?? {})] }));
  });
  return { OR: [{ AND: words.map(holdsWord) }, { id: { in: ids } }] };
}

function holdsWord(word: string): Prisma.AppointmentWhereInput {
  const text = containsText(word);
  const ofAccount = [{ firstName: text }, { lastName: text }, { email: text }];
  return { OR: [{ title: text }, ...ofAccount.map((user) => ({ user }))] };
}

/** One that is over and still says *scheduled* is shown as completed, so it is found as that. */
function ofStatus(status: Filters["status"]): Prisma.AppointmentWhereInput[] {
  if (status === "any") return [];
  if (status === "scheduled") return [{ status, appointmentDate: { gt: now() } }];
  if (status === "completed") return [{ OR: [{ status }, { status: "scheduled", appointmentDate: { lte: now() } }] }];
  return [{ status }];
}
