import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { buildFamilySearch, type FamilySearch } from "../../accounts/search/family-search.server.ts";
import { fullName, type Person } from "../../accounts/person.ts";
import { recordListRead, recordTextsListed } from "../../audit/record-list-reads.server.ts";
import { listAdminAppointmentsWithAudit } from "../../booking/appointment-list/admin-appointments.server.ts";
import { appointmentSearchCondition } from "../../booking/appointment-list/appointment-search.server.ts";
import { searchFollowUps } from "../../booking/follow-ups/follow-up-search.server.ts";
import { searchNotes } from "../../booking/notes/note-search.server.ts";
import { searchVisitAnswers } from "../../booking/visit-answers/visit-answer-search.server.ts";
import { now } from "../../clock.ts";
import { findRequestsWithoutAccount } from "../../consultation-requests/request-search.server.ts";
import { db } from "../../db/database-client.server.ts";
import { findDocuments } from "../../documents/document-search.server.ts";
import { addChildNames } from "../../intake/intake-child-details.server.ts";
import { searchIntakeForms } from "../../intake/intake-search.server.ts";
import { readSearchText, splitSearchTerms } from "../../http/list-query.ts";

/** Maximum number of rows of each group. The lists show all of them. */
const MAX_ROWS_PER_GROUP = 6;

export type SearchData = Awaited<ReturnType<typeof searchPractice>>;

/**
 * Finds what contains all words of `?q=`: families, people without an account, visits, documents, and with an excerpt
 * notes, follow-ups, answers before visits and intake forms; six of each, with the total number. Null without words. For
 * the administrator; throws for anyone else.
 */
export async function searchPractice(person: Person, query: URLSearchParams) {
  assertAdministrator(person);
  const search = readSearchText(query);
  const words = splitSearchTerms(search);
  if (words.length === 0) return { search, results: null };
  await recordListRead();
  const families = await buildFamilySearch(words);
  const [familyRows, requests, visits, documents, notes, followUps, answers, forms] = await Promise.all([
    findFamilies(families),
    findRequestsWithoutAccount(person, words, MAX_ROWS_PER_GROUP),
    findVisits(person, families),
    findDocuments(person, families, MAX_ROWS_PER_GROUP),
    searchNotes(person, families, MAX_ROWS_PER_GROUP),
    searchFollowUps(person, families, MAX_ROWS_PER_GROUP),
    searchVisitAnswers(person, families, MAX_ROWS_PER_GROUP),
    searchIntakeForms(person, families, MAX_ROWS_PER_GROUP),
  ]);
  const familyIds = [notes, followUps, answers, forms].flatMap(({ rows }) => rows.map(({ familyId }) => familyId));
  await recordTextsListed(familyIds);
  const names = await findFamilyNames(familyIds);
  const withName = <Row extends { familyId: number }>({ count, rows }: { count: number; rows: readonly Row[] }) => ({
    count,
    rows: rows.map((row) => ({ ...row, name: names.get(row.familyId) ?? "" })),
  });
  const documentRows = documents.rows.map((row) => ({ ...row, client: row.family }));
  return {
    search,
    results: {
      families: familyRows,
      requests,
      visits,
      documents: { ...documents, rows: await addChildNames(person, documentRows) },
      notes: withName(notes),
      followUps: withName(followUps),
      answers: withName(answers),
      forms: withName(forms),
    },
  };
}

async function findFamilyNames(ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const select = { id: true, firstName: true, lastName: true };
  const rows = await db.user.findMany({ where: { id: { in: [...new Set(ids)] } }, select });
  return new Map(rows.map((row) => [row.id, fullName(row)]));
}

async function findFamilies({ condition }: FamilySearch) {
  const where = { isAdmin: false, AND: condition };
  const rows = await db.user.findMany({
    where,
    orderBy: [{ lastName: "asc" }, { firstName: "asc" }, { id: "asc" }],
    take: MAX_ROWS_PER_GROUP,
    select: {
      id: true,
      firstName: true,
      lastName: true,
      email: true,
      phone: true,
      closedAt: true,
      intakeForm: { select: { childName: true } },
    },
  });
  return {
    count: rows.length < MAX_ROWS_PER_GROUP ? rows.length : await db.user.count({ where }),
    rows: rows.map(({ id, email, phone, closedAt, intakeForm, ...name }) => ({
      id,
      name: fullName(name),
      childName: intakeForm?.childName ?? null,
      phone,
      email,
      isClosed: closedAt !== null,
    })),
  };
}

/** Finds visits: upcoming ones first, soonest first; then past ones, latest first. */
async function findVisits(person: Person, families: FamilySearch) {
  const where = await appointmentSearchCondition(families);
  const at = now();
  const upcoming = await listAdminAppointmentsWithAudit(person, {
    where: { AND: where, appointmentDate: { gt: at } },
    order: "asc",
    take: MAX_ROWS_PER_GROUP,
  });
  const past = await listAdminAppointmentsWithAudit(person, {
    where: { AND: where, appointmentDate: { lte: at } },
    order: "desc",
    take: MAX_ROWS_PER_GROUP - upcoming.length,
  });
  const found = await addChildNames(person, [...upcoming, ...past]);
  const rows = found.map(({ id, title, start, client, badge, canCancel, childName }) => ({
    id,
    title,
    start,
    badge,
    canMove: canCancel,
    childName,
    name: client.name,
  }));
  return { count: rows.length < MAX_ROWS_PER_GROUP ? rows.length : await db.appointment.count({ where }), rows };
}
