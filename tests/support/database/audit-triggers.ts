import { db, isSqlite } from "./database-fixture.ts";

const SQLITE_TRIGGERS = [
  "audit_entries_unchanged",
  "audit_entries_stay",
  "audit_entries_not_before_the_first",
  "audit_entries_stay_a_year",
  "audit_heads_begin_before_the_end",
  "audit_heads_forward",
  "audit_heads_stay",
];

/** What whoever has the database's password can do first. */
export async function removeAuditTriggers(): Promise<void> {
  if (isSqlite) for (const name of SQLITE_TRIGGERS) await db.$executeRawUnsafe(`DROP TRIGGER ${name}`);
  else
    for (const table of ["audit_entries", "audit_heads"])
      await db.$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
}
