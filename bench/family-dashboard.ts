// Goal 3: a family's dashboard with 200 appointments and 100 documents: rate against the template, and query count.
import Database from "better-sqlite3";
import { uploadFile } from "../tests/support/uploads.ts";
import { type Family, createPeople } from "../tests/support/people.ts";
import { type DatabaseKind, openDatabases, seedAppointments, withClient } from "./databases.ts";
import { type RunningServer, startProduct, startTemplate } from "./processes.ts";
import { compareRates, ratio, type Target } from "./compare-rates.ts";
import { type Finding, raceFinding } from "./report.ts";
import { buildTemplate } from "./starter-app.ts";

const APPOINTMENTS = 200;
const DOCUMENTS = 100;
/** Some appointments are past, some upcoming. */
const LAST_APPOINTMENT = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 48 * 3_600_000;
const COUNTED_PAGES = 200;
/** PostgreSQL reports the statistics of a connection once it has been idle for 10 s. */
const STATS_DELAY_MS = 15_000;

export async function familyDashboard(): Promise<Finding[]> {
  const template = await startTemplate(await buildTemplate());
  try {
    return [...(await measureOnDatabase("SQLite", template)), ...(await measureOnDatabase("PostgreSQL", template))];
  } finally {
    await template.stop();
  }
}

async function measureOnDatabase(kind: DatabaseKind, template: RunningServer): Promise<Finding[]> {
  const databases = await openDatabases(kind);
  const url = await databases.create("family_dashboard");
  await seedAppointments(url, APPOINTMENTS, LAST_APPOINTMENT);
  const product = await startProduct({ DATABASE_URL: url });
  try {
    const family = await createPeople(product.origin).family({ intake: true });
    for (let count = 1; count < DOCUMENTS; count += 1) await uploadFile(family);
    await assignAppointments(url, family.id);
    const dashboard: Target = {
      name: "dashboard",
      server: product,
      paths: ["/dashboard"],
      headers: { Cookie: [...family.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      check: (body) => expectCompletePage(body),
    };
    const check = (body: string) => void body.includes("Hello from the server");
    const rates = await compareRates([dashboard, { name: "template", server: template, paths: ["/"], check }]);
    const label = `dashboard of ${APPOINTMENTS} appointments and ${DOCUMENTS} documents`;
    const compared = raceFinding(
      "3",
      `${label} / framework's template, ${kind}`,
      1.2,
      ratio(rates.dashboard!, rates.template!),
    );
    return kind === "SQLite" ? [compared] : [compared, await countQueries(url, family)];
  } finally {
    await product.stop();
    await databases.stop();
  }
}

/** Assigns the seeded appointments to the family. */
async function assignAppointments(url: string, userId: number): Promise<void> {
  const sql = `UPDATE "appointments" SET "userId" = ${userId}`;
  if (url.startsWith("file:")) {
    new Database(url.slice("file:".length)).exec(sql).close();
    return;
  }
  await withClient(url, (client) => client.query(sql));
}

function expectCompletePage(body: string) {
  const [appointments, documents] = [">200<", ">100<"].map((count) => body.replaceAll("<!-- -->", "").includes(count));
  if (!appointments || !documents || !body.endsWith("</html>"))
    throw new Error(`The dashboard is incomplete: ${body.slice(0, 500)}`);
}

/** Each query of the page is a transaction of its own, which PostgreSQL counts. */
async function countQueries(url: string, family: Family): Promise<Finding> {
  const transactionsBefore = await countTransactions(url);
  for (let count = 0; count < COUNTED_PAGES; count += 1) await family.get("/dashboard");
  const queriesPerPage = ((await countTransactions(url)) - transactionsBefore) / COUNTED_PAGES;
  return {
    goal: "3",
    label: "database queries of that dashboard",
    value: Math.round(queriesPerPage),
    atMost: 5,
    isCounted: true,
    note: queriesPerPage.toFixed(2),
  };
}

async function countTransactions(url: string): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, STATS_DELAY_MS));
  const sql = `SELECT xact_commit::int AS "count" FROM pg_stat_database WHERE datname = current_database()`;
  return withClient(url, async (client) => (await client.query<{ count: number }>(sql)).rows[0]?.count ?? Number.NaN);
}
