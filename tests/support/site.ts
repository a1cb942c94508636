import { inject } from "vitest";
import { environmentOverrides } from "./environment-overrides.ts";
import { copyDatabase } from "./database/copy-database.ts";
import { accountsOfSite } from "./accounts.ts";
import { createPeople } from "./people.ts";
import { adminEmail, adminPassword, testEnvironment } from "./test-environment.ts";
import { temporaryFolder } from "./temporary-folder.ts";

// One test file is one process with one site in it: the built product, on a database of its own.
const template = inject("template");
const folder = temporaryFolder("site");
const environment = {
  ...(await testEnvironment(await copyDatabase(template, folder), folder)),
  ...environmentOverrides,
};
Object.assign(process.env, { LOG_LEVEL: "silent" }, environment);

const { testing, server, cacheWarmed: settled, stop } = await import("../../server.ts");
await settled;

export const origin = environment.APP_ORIGIN;
export const { db, setTestClock } = testing;
export const { visitor, family, consultant } = createPeople(origin, undefined, accountsOfSite(testing));
export { adminEmail, adminPassword, environment, testing, folder, server, stop, template };
