// Proves the database clients: transactions, prepared queries, locks and lost connections.
// Each database has its own ways to fail, and a test that is skipped on the other counts as failed.
// oxlint-disable vitest/no-conditional-tests
import { sqltag as sql } from "@prisma/client/runtime/client";
import Database from "better-sqlite3";
import { expect, test, vi } from "vitest";
import { startTcpProxy, terminateConnections } from "../support/database/database-outage.ts";
import { isConnectionError, isOverlapViolation } from "../../app/db/database-errors.server.ts";
import {
  USER_FIELDS,
  SLOT_START,
  APPOINTMENT_FIELDS,
  createAppointment,
  database,
  db,
  isSqlite,
  createUser,
  rejectionReasons,
  url,
} from "../support/database/database-fixture.ts";

const { runPreparedQuery, inTransaction, createDatabaseClient } = database;

test("writes committed while another transaction is open are kept when that transaction rolls back", async () => {
  const opened = Promise.withResolvers<void>();
  const mayFail = Promise.withResolvers<void>();
  const failing = inTransaction(async (transaction) => {
    await transaction.user.create({ data: { ...USER_FIELDS, email: "undone@example.com" } });
    opened.resolve();
    await mayFail.promise;
    throw new Error("changed my mind");
  });
  await opened.promise;
  const promised = Array.from({ length: 20 }, () => createUser()).map((user) => user.then(({ id }) => id));
  mayFail.resolve();
  await expect(failing).rejects.toThrow("changed my mind");
  expect(new Set(await Promise.all(promised)).size).toBe(20);
  expect(await db.user.count()).toBe(20);
  expect(await db.user.count({ where: { email: "undone@example.com" } })).toBe(0);
});

test("an overlap inside a transaction rolls back the whole transaction", async () => {
  await createAppointment(SLOT_START);
  const failing = inTransaction(async (transaction) => {
    await transaction.user.create({ data: USER_FIELDS });
    await transaction.appointment.create({ data: APPOINTMENT_FIELDS });
  });
  await expect(failing).rejects.toSatisfy(isOverlapViolation);
  expect(await db.user.count()).toBe(0);
});

test("a prepared query sees only committed rows, with dates and booleans decoded", async () => {
  const findUsers = () =>
    runPreparedQuery(sql`SELECT "email", "isAdmin", "createdAt" FROM "users" WHERE "isAdmin" = ${false}`);
  const opened = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const joining = inTransaction(async (transaction) => {
    await transaction.user.create({ data: USER_FIELDS });
    opened.resolve();
    await mayEnd.promise;
  });
  await opened.promise;
  expect(await findUsers()).toEqual([]);
  mayEnd.resolve();
  await joining;
  const { createdAt } = await db.user.findFirstOrThrow();
  expect(await findUsers()).toEqual([{ email: USER_FIELDS.email, isAdmin: false, createdAt }]);
  await expect(runPreparedQuery(sql`SELECT "email" FROM "nowhere"`)).rejects.toThrow(/nowhere/);
  expect(await findUsers()).toHaveLength(1);
});

test("of 1,000 concurrent queries each gets its own result, and failing queries affect no other", async () => {
  const emails = Array.from({ length: 40 }, (_, index) => `asker-${index}@example.com`);
  await db.user.createMany({ data: emails.map((email) => ({ ...USER_FIELDS, email })) });
  const responses = await Promise.allSettled(
    Array.from({ length: 1_000 }, (_, index) =>
      index % 100 === 50
        ? runPreparedQuery(sql`SELECT "email" FROM "nowhere"`)
        : runPreparedQuery(sql`SELECT "email" FROM "users" WHERE "email" = ${emails[index % 40]}`),
    ),
  );
  expect(responses.flatMap((response, index) => (response.status === "rejected" ? [index % 100] : []))).toEqual(
    Array.from({ length: 10 }, () => 50),
  );
  const results = responses.map((response) => (response.status === "fulfilled" ? response.value : null));
  expect(results).toEqual(responses.map((_, index) => (index % 100 === 50 ? null : [{ email: emails[index % 40] }])));
});

test("pingDatabase succeeds while the database responds", async () => {
  expect(await database.pingDatabase()).toBe(true);
});

if (isSqlite) {
  const file = url.slice("file:".length);
  const count = () => inTransaction((transaction) => transaction.user.count());

  test("a transaction whose COMMIT fails stores nothing, and the client stays usable", async () => {
    const failing = inTransaction(async (transaction) => {
      await transaction.$executeRaw`PRAGMA defer_foreign_keys = ON`;
      await transaction.session.create({ data: { sid: "orphan", sess: "{}", expire: SLOT_START, userId: 4711 } });
    });
    await expect(failing).rejects.toThrow(/foreign ?key/i);
    await createUser();
    expect(await count()).toBe(1);
    expect(await db.session.count()).toBe(0);
  });

  test("writers wait for another process's write lock, readers don't, and every write is stored", async () => {
    const other = new Database(file);
    other.exec("BEGIN IMMEDIATE");
    const writes = [createUser().then(() => 1), count(), createUser().then(() => 1)];
    expect(await db.user.count()).toBe(0);
    other.exec("COMMIT");
    other.close();
    await Promise.all(writes);
    expect(await db.user.count()).toBe(2);
  });

  test("a write lock that is held too long is a connection error, and later writes succeed", async () => {
    const other = new Database(file);
    other.exec("BEGIN IMMEDIATE");
    const refused = rejectionReasons(await Promise.allSettled([createUser(), count()]));
    expect(refused.map(isConnectionError)).toEqual([true, true]);
    other.exec("ROLLBACK");
    other.close();
    await createUser();
    expect(await count()).toBe(1);
  });
} else {
  test("a server that terminates every connection is a connection error, and later queries succeed", async () => {
    await Promise.all(Array.from({ length: 10 }, () => db.user.count()));
    await terminateConnections(url);
    const reasons = rejectionReasons(await Promise.allSettled(Array.from({ length: 10 }, () => db.user.count())));
    expect(reasons.filter((reason) => !isConnectionError(reason))).toEqual([]);
    expect(await db.user.count()).toBe(0);
  });

  test("a server that stops responding during a transaction is a connection error, and later writes succeed", async () => {
    const proxy = await startTcpProxy(url);
    const client = await createDatabaseClient(proxy.url);
    const cut = client.$transaction(async (transaction) => {
      await transaction.user.count();
      proxy.pause();
      await transaction.user.count();
    });
    await expect(cut).rejects.toSatisfy(isConnectionError);
    proxy.resume();
    await vi.waitFor(() => client.user.create({ data: USER_FIELDS }), { timeout: 10_000 });
    expect(await db.user.count()).toBe(1);
    await client.$disconnect();
    proxy.close();
  });

  test("a prepared query is planned once, not each time that it runs", async () => {
    for (const count of Array(20).keys()) await runPreparedQuery(sql`SELECT "id" FROM "users" WHERE "id" > ${count}`);
    const plans = await runPreparedQuery(sql`
      SELECT generic_plans::int AS once, custom_plans::int AS anew FROM pg_prepared_statements
      WHERE statement LIKE '%WHERE "id" > $1'`);
    expect(plans).toEqual([{ once: 20, anew: 0 }]);
  });

  test("an unreachable server is a connection error", async () => {
    const nowhere = await createDatabaseClient("postgresql://postgres@127.0.0.1:1/none");
    await expect(nowhere.user.count()).rejects.toSatisfy(isConnectionError);
  });
}
