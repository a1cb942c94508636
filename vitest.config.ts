import { defineConfig } from "vitest/config";

/** Unit tests of pure functions and of the source code; they need no database. */
const RULES = ["tests/**/*.unit.test.ts"];
/** The container is built once and tested on both databases. */
const CONTAINER = ["tests/container/dockerfile-and-guide.test.ts"];

/** Several processes on one database, which SQLite does not support. */
const SERVER_ONLY = ["tests/**/*.postgresql.test.ts"];

/** What happens before a query or after it is the same on both databases: on SQLite alone. */
const ANY_DATABASE = [
  "tests/accounts/{account-pages,authorization,chosen-service,display-preferences,known-devices}.test.ts",
  "tests/accounts/{mistyped-email,rate-limits,required-second-factor,step-up}.test.ts",
  "tests/audit/audited-routes.test.ts",
  "tests/booking/{booking-pages,calendar-file,confirmation,meeting-place,next-visit,waiting-list-pages}.test.ts",
  "tests/checkout/{payment-pages,payment-script-unwatched}.test.ts",
  "tests/dashboard/{large-practice,preselected-time,settings,today-actions,today-links}.test.ts",
  "tests/dashboard/{calendar-grid,month,portal,today,unread,visit-without-account}.test.ts",
  "tests/documents/{archive-download,damaged-files,download,open-downloads,scan-stored}.test.ts",
  "tests/documents/{upload,upload-faults,virus-scan}.test.ts",
  "tests/env/startup-checks.test.ts",
  "tests/families/{admin-pages,family-page}.test.ts",
  "tests/files/encrypted-storage.test.ts",
  "tests/http/{behind-proxy,common-headers,connections,every-form,failed-forms,form-fields}.test.ts",
  "tests/http/{page-responses,page-sizes}.test.ts",
  "tests/http/{body-memory,list-orders,metrics,raw-requests,request-bodies,request-guard,request-log,resource-limits}.test.ts",
  "tests/intake/answer-validation.test.ts",
  "tests/mail/{account-mail,messages-with-changes,test-mail,wording}.test.ts",
  "tests/openapi/api-description.test.ts",
  "tests/practice/{discoverability,public-pages}.test.ts",
  "tests/video/{call-family,dashboard-entry,frame-fuzzing,signaling-limits,socket-upgrade}.test.ts",
  "tests/video/{turn-credentials,upgrade-limits}.test.ts",
];

const onDatabase = (name: string, others: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include: ["tests/**/*.test.ts"],
    exclude: [...RULES, ...CONTAINER, ...others],
    globalSetup: "tests/support/database/template-database.ts",
  },
});

// Tests run on Node itself, like the product: the built server and the tests share one set of modules.
export default defineConfig({
  test: {
    pool: "forks",
    // More workers than cores, because tests spend most of their time waiting.
    maxWorkers: 4,
    silent: "passed-only",
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    env: { TZ: "UTC", NODE_ENV: "production" },
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      { extends: true, test: { name: "rules", include: RULES } },
      { extends: true, test: { name: "container", include: CONTAINER } },
      onDatabase("sqlite", SERVER_ONLY),
      onDatabase("postgresql", ANY_DATABASE),
    ],
  },
});
