import { freePort } from "./free-port.ts";

export const adminEmail = "consultant@example.com";
export const adminPassword = "kettle-and-two-cups";

/** What makes a site a public one, for a process without a proxy. */
export const PUBLIC_SITE = {
  APP_ORIGIN: "https://practice.example",
  PAYMENTS: "off",
  RATE_LIMITS: "on",
  VISITOR_ADDRESS_HEADER: "none",
};

/** The environment of one site under test; a caller may change any of it. */
export async function testEnvironment(databaseUrl: string, folder: string) {
  const port = String(await freePort());
  return {
    NODE_ENV: "production",
    TZ: "UTC",
    PORT: port,
    HOST: "127.0.0.1",
    APP_ORIGIN: `http://localhost:${port}`,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    // Processes that share a database share the keys of its texts.
    FILE_KEYS: `tests:${Buffer.alloc(32, 3).toString("base64")}`,
    SESSION_SECRET: "a-secret-for-tests-that-is-long-enough",
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
    RATE_LIMITS: "off",
    PAYMENTS: "simulator",
    PRACTICE_TIME_ZONE: "America/New_York",
  };
}
