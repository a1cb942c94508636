import Database from "better-sqlite3";

type Method = (this: { source: string }, ...parameters: unknown[]) => unknown;

let recorded: string[] | null = null;

/** Wraps the driver, which the site in this process shares: what it runs is recorded while `readsOf` waits. */
const probe = new Database(":memory:");
const statement = Object.getPrototypeOf(probe.prepare("SELECT 1")) as Record<string, Method>;
probe.close();
for (const name of ["all", "get", "iterate", "run"]) {
  const original = statement[name]!;
  statement[name] = function (...parameters) {
    recorded?.push(this.source);
    return original.apply(this, parameters);
  };
}

/** The queries on tables that `act` causes, in order, on a site with SQLite. Sessions and the access log are left out. */
export async function recordReadQueries(act: () => Promise<unknown>): Promise<string[]> {
  recorded = [];
  try {
    await act();
    return recorded.filter((sql) => /^\s*(?:SELECT|WITH)\b/i.test(sql) && !/"(?:audit_\w+|sessions)"/.test(sql));
  } finally {
    recorded = null;
  }
}
