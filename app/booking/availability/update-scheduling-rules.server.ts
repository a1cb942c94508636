import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { inTransaction } from "../../db/database-client.server.ts";
import {
  refreshSettingsAndPageCaches,
  type SchedulingRules,
  writeSchedulingRules,
} from "../../practice/practice-settings.server.ts";

/**
 * Sets the hours of each weekday, the pause and the notice in minutes. Booked visits are not changed. Only for the
 * administrator.
 */
export async function updateSchedulingRules(person: Person, rules: SchedulingRules): Promise<void> {
  assertAdministrator(person);
  await inTransaction(async (transaction) => {
    await writeSchedulingRules(transaction, rules);
    recordAuditInTransaction(transaction, { action: "practice-settings-changed" });
  });
  await refreshSettingsAndPageCaches();
}
