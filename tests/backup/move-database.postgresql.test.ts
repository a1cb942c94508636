// Proves that a site on SQLite moves to PostgreSQL with every record, and that a refused move changes nothing.
import Database from "better-sqlite3";
import pg from "pg";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { copyDatabase } from "../support/database/copy-database.ts";
import { dumpRestorableRecords, verifyAudit } from "../support/backup-commands.ts";
import { runCommand, startServer } from "../support/servers/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { textFile, uploadOrFail } from "../support/uploads.ts";

const template = inject("template");
let practice: Awaited<ReturnType<typeof startServer>>;
let maria: Awaited<ReturnType<typeof practice.family>>;
let uid: string | undefined;

/** A migrated database without records; the template has the administrator. */
async function emptyTarget(): Promise<string> {
  const url = await copyDatabase(template, temporaryFolder("target"));
  await inTarget(url, (client) => client.query("DELETE FROM users"));
  return url;
}

const move = (target: string, changes: Record<string, string> = {}) =>
  runCommand(["bin/move-database.js", target], { ...practice.environment, ...changes, ON_PINNED_NODE: "1" });

async function inTarget<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** The UID of her visit in calendars. */
async function readUid() {
  const [visit] = (await maria.get("/api/appointments")).json as { id: number }[];
  return /^UID:\S+/m.exec((await maria.get(`/api/appointments/${visit?.id}/calendar.ics`)).text)?.[0];
}

const countUsers = (url: string) =>
  inTarget(
    url,
    async (client) => (await client.query<{ count: number }>("SELECT count(*)::int FROM users")).rows[0]?.count,
  );

beforeAll(async () => {
  practice = await startServer({});
  maria = await practice.family({ intake: true, firstName: "María-José ‹ö›" });
  await uploadOrFail(maria, textFile(2_000));
  const booked = await maria.post("/api/appointments/in-person", {
    title: "Initial Consultation",
    appointmentDate: "2027-03-01T15:00:00.000Z",
    duration: 90,
  });
  if (booked.status !== 201) throw new Error(booked.text);
  uid = await readUid();
});

describe("while the site runs", () => {
  test("the move is refused and the target stays empty", async () => {
    const target = await emptyTarget();
    expect(await move(target)).toEqual({
      code: 1,
      output: "The product is running on this database. Stop it first.\n",
    });
    expect(await countUsers(target)).toBe(0);
  });
});

describe("once the site is stopped", () => {
  beforeAll(async () => {
    practice.kill("SIGTERM");
    await practice.ended;
  });

  test("every record is moved, ids continue after the last used one, and the site starts on the new database", async () => {
    const source = practice.environment.DATABASE_URL;
    const before = await dumpRestorableRecords(source);
    const database = new Database(source.slice("file:".length));
    // A family that was removed had the latest id.
    database.prepare("UPDATE sqlite_sequence SET seq = 500 WHERE name = 'users'").run();
    database.close();
    const target = await emptyTarget();
    const { code, output } = await move(target);
    expect(output).toMatch(/^Moved [1-9]\d* records in \d+ tables, counted and compared\./);
    expect(code).toBe(0);
    expect(await dumpRestorableRecords(target)).toEqual(before);
    expect(await dumpRestorableRecords(source)).toEqual(before);
    const verified = await verifyAudit({ ...practice.environment, DATABASE_URL: target });
    expect(verified).toEqual(await verifyAudit(practice.environment));
    expect(verified).toMatchObject({ code: 0, output: expect.stringMatching(/^[1-9]\d* entries hold/) as string });
    await inTarget(target, async (client) => {
      await client.query("ALTER TABLE audit_entries DISABLE TRIGGER ALL");
      await client.query('UPDATE audit_entries SET "actorId" = 99 WHERE "sequence" = 2');
    });
    const altered = await verifyAudit({ ...practice.environment, DATABASE_URL: target });
    expect(altered).toMatchObject({ code: 1, output: expect.stringMatching(/^Entry 2 was altered/) as string });
    const moved = await startServer({ overrides: { ...practice.environment, DATABASE_URL: target } });
    expect([uid, await readUid()]).toEqual([expect.stringMatching(/^UID:[\da-f-]{36}$/), uid]);
    // Her session has moved too.
    const documents: { id: number }[] = (await maria.get("/api/documents")).json;
    const { id = 0 } = documents.find((each) => each.id > 0) ?? {};
    expect((await maria.get(`/api/documents/${id}/download`)).bytes).toHaveLength(2_000);
    const tom = await moved.family();
    expect(tom.id).toBe(501);
    moved.kill("SIGTERM");
    await moved.ended;
  });

  test.each([
    ["a SQLite database", "file:other.db", "Use: npm run move -- postgresql://"],
    ["an empty argument", "", "Use: npm run move -- postgresql://"],
    ["a server that does not answer", "postgresql://nobody:nothing@127.0.0.1:1/none", "The database does not answer"],
  ])("the move is refused with a readable error for %s", async (_, target, reason) => {
    const { code, output } = await move(target);
    expect(output).toContain(reason);
    expect(output).not.toContain("    at ");
    expect(code).toBe(1);
  });

  test("a site that already uses PostgreSQL is not moved", async () => {
    const { code, output } = await move(await emptyTarget(), { DATABASE_URL: await emptyTarget() });
    expect(output).toBe("DATABASE_URL names a PostgreSQL database. Only a SQLite database is moved.\n");
    expect(code).toBe(1);
  });

  test("the move is refused if the target database has records", async () => {
    const target = await emptyTarget();
    await inTarget(target, (client) =>
      client.query(`INSERT INTO users (email, password, "firstName", "lastName") VALUES ('a@b.example', '', 'A', 'B')`),
    );
    const { code, output } = await move(target);
    expect(output).toBe("The target already has records (users: 1). Name an empty database.\n");
    expect(code).toBe(1);
  });

  test("a row that PostgreSQL can't store is named by id, without its content, and the target stays empty", async () => {
    const database = new Database(practice.environment.DATABASE_URL.slice("file:".length));
    const setName = (name: string) =>
      database.prepare('UPDATE users SET "lastName" = ? WHERE id = ?').run(name, maria.id);
    setName("Alva\u0000rez");
    const target = await emptyTarget();
    const { code, output } = await move(target);
    setName("Alvarez");
    database.close();
    expect(output).toMatch(
      new RegExp(
        `^PostgreSQL can't store the row with id ${maria.id} of the table users: .+\\. Nothing was moved\\.\n$`,
      ),
    );
    expect(output).not.toContain("Alva");
    expect(code).toBe(1);
    expect(await countUsers(target)).toBe(0);
  });

  test("a row that PostgreSQL changes during the copy makes the move fail, and the target stays empty", async () => {
    const target = await emptyTarget();
    await inTarget(target, (client) =>
      client.query(`CREATE FUNCTION rename() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW."lastName" := 'Other'; RETURN NEW; END $$;
        CREATE TRIGGER rename BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION rename();`),
    );
    const { code, output } = await move(target);
    expect(output).toBe("The table users is not the same in both databases. Nothing was moved.\n");
    expect(code).toBe(1);
    expect(await countUsers(target)).toBe(0);
  });
});
