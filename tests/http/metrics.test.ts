// Proves who may read the metrics, and that their labels have route patterns and no personal data.
import { describe, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";

const TOKEN = "a-token-of-the-operator";
Object.assign(environmentOverrides, { METRICS_TOKEN: TOKEN });
const { db, family, origin, testing, visitor } = await import("../support/site.ts");

const request = (path: string, authorization?: string) =>
  fetch(origin + path, { headers: authorization === undefined ? {} : { authorization } });
const bearer = `Bearer ${TOKEN}`;

describe("/metrics", () => {
  test("reports requests by route pattern, process, sockets, disk and backups, without names or ids", async () => {
    const maria = await family({ email: "maria.lopez@example.com" });
    await maria.get("/dashboard");
    await maria.get("/api/appointments/987654321");
    await visitor().get("/");
    const response = await request("/metrics", bearer);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(text).toMatch(/^http_request_duration_seconds_count\{method="GET",route="\/dashboard",status="200"\} 1$/m);
    expect(text).toMatch(/^http_cached_pages_total [1-9]\d*$/m);
    expect(text).toMatch(/^video_sockets 0$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m);
    expect(text).toMatch(/^disk_free_bytes [1-9]\d+$/m);
    expect(text).toMatch(/^# TYPE backup_last_success_timestamp_seconds gauge$/m);
    expect(text).not.toMatch(/^backup_last_success_timestamp_seconds /m);
    expect(text).not.toContain("maria");
    expect(text).not.toContain("987654321");
  });

  test("has no time series for an unknown path, and one for all spellings of a health check", async () => {
    for (let i = 0; i < 5; i++) await visitor().get(`/nowhere-${i}`);
    for (const path of ["/HealthZ", "/healthz/", "/READYZ/"]) expect((await visitor().get(path)).status).toBe(200);
    const text = await (await request("/metrics", bearer)).text();
    expect(text).not.toContain("nowhere");
    expect(text.match(/route="\/(healthz|readyz)[^"]*"/gi)?.map((label) => label.slice(8, -1))).toSatisfy(
      (routes: string[]) => routes.length > 0 && routes.every((route) => ["healthz", "readyz"].includes(route)),
    );
  });

  test.each([
    ["no token", undefined],
    ["an empty token", ""],
    ["another token", "Bearer another-token-of-nobody"],
    ["a truncated token", `Bearer ${TOKEN.slice(0, -1)}`],
    ["the token as a basic auth password", `Basic ${btoa(`:${TOKEN}`)}`],
    ["the token without the Bearer scheme", TOKEN],
  ])("responds with 401 to %s", async (_, authorization) => {
    const response = await request("/metrics", authorization);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await response.json()).toEqual({ message: "Unauthorized" });
  });

  test("responds with 401 to a token in the query string", async () => {
    expect((await request(`/metrics?token=${TOKEN}`)).status).toBe(401);
  });

  test("counts the card payments of each state, and leaves out a state that no payment has any more", async () => {
    const { id: userId } = await family();
    const row = { userId, method: "hosted", provider: "nobody", key: "counted", booking: "{}", amountCents: 7500 };
    const soon = new Date(Date.now() + 600_000);
    const { id } = await db.payment.create({ data: { ...row, state: "waiting", leaseEndsAt: soon } });
    const counts = async () =>
      (await (await request("/metrics", bearer)).text()).split("\n").filter((line) => line.startsWith("payments{"));
    expect(await counts()).toEqual(['payments{state="waiting"} 1']);
    await db.payment.update({ where: { id }, data: { state: "paid", paidAt: new Date() } });
    expect(await counts()).toEqual(['payments{state="paid"} 1']);
  });

  test("reports when the last backup succeeded, in seconds", async () => {
    await testing.recordBackupRun("backup", { succeeded: true, summary: "All there.", file: "a.backup", bytes: 1 });
    const text = await (await request("/metrics", bearer)).text();
    const seconds = Number(/^backup_last_success_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
    expect(Math.abs(Date.now() / 1000 - seconds)).toBeLessThan(60);
  });
});
