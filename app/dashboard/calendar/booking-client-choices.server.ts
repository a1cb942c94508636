import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { buildFamilySearch } from "../../accounts/search/family-search.server.ts";
import { recordListRead } from "../../audit/record-list-reads.server.ts";
import { ACTIVE_ACCOUNT_CONDITION, fullName, type Person } from "../../accounts/person.ts";
import { formatTimeOfDay, parseDay, parseTime, wallTimeToInstant } from "../../booking/wall-time.ts";
import { shortenRequestTexts, toRequestRow } from "../../consultation-requests/request-rows.ts";
import { listTopPendingRequests } from "../../consultation-requests/request-ranking.server.ts";
import { db } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { readSearchText, splitSearchTerms } from "../../http/list-query.ts";
import { formatDateTime, formatLongPlainDate } from "../../ui/format-date-time.ts";
import { parseCalendarQuery } from "./calendar-query.ts";
import { practiceToday } from "../../booking/practice-today.server.ts";

const MAX_FAMILY_CHOICES = 8;

/**
 * Loads for whom an appointment can be booked: families that match `?q=` (without it the newest families), and open
 * requests. `day` and `time` ("14:30") are wall time in the practice's time zone; null if the address contains no valid
 * one. For the administrator; throws for anyone else.
 */
export async function loadClientAndRequestChoices(person: Person, query: URLSearchParams) {
  assertAdministrator(person);
  await recordListRead();
  const { timeZone } = env.practice;
  const origin = parseCalendarQuery(query, practiceToday());
  const day = parseDay(query.get("day") ?? "");
  const minutes = parseTime(query.get("time") ?? "");
  const start = day && minutes !== null ? wallTimeToInstant(day, minutes, timeZone) : null;
  const search = readSearchText(query);
  const [found, waiting] = await Promise.all([
    findOpenAccounts(splitSearchTerms(search)),
    listTopPendingRequests(person, MAX_FAMILY_CHOICES, MAX_FAMILY_CHOICES),
  ]);
  return {
    origin,
    day,
    time: start && minutes !== null ? formatTimeOfDay(minutes) : null,
    when: start ? formatDateTime(start, timeZone) : day && formatLongPlainDate(day),
    search,
    families: found.slice(0, MAX_FAMILY_CHOICES).map(({ id, email, phone, intakeForm, ...user }) => ({
      id,
      name: fullName(user),
      email,
      phone,
      childName: intakeForm?.childName ?? null,
    })),
    hasMoreFamilies: found.length > MAX_FAMILY_CHOICES,
    requests: shortenRequestTexts(waiting.requests).map((request) => toRequestRow(request, env.practice)),
    requestCount: waiting.count,
  };
}

async function findOpenAccounts(words: string[]) {
  const { condition } = await buildFamilySearch(words);
  return db.user.findMany({
    where: { isAdmin: false, ...ACTIVE_ACCOUNT_CONDITION, AND: condition },
    orderBy: words.length > 0 ? [{ lastName: "asc" }, { firstName: "asc" }, { id: "asc" }] : [{ id: "desc" }],
    take: MAX_FAMILY_CHOICES + 1,
    select: {
      id: true,
      firstName: true,
      lastName: true,
      email: true,
      phone: true,
      intakeForm: { select: { childName: true } },
    },
  });
}
