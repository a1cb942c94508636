// Proves that every route under /api is described, no other is, and the response check finds deviations.
import { describe, expect, test } from "vitest";
import { type ApiDescription, createApiCheck, readApiDescription } from "../support/api-description.ts";
import { routePaths } from "../support/route-table.ts";

const description = readApiDescription();

test("every path of the route table under /api is described, and no other", () => {
  const routes = routePaths.map(({ path }) => path).filter((path) => path.startsWith("/api/") && path !== "/api/*");
  const templates = routes.map((path) => path.replace(/:(\w+)/g, "{$1}"));
  // Served ahead of the route table, like robots.txt.
  expect(Object.keys(description.paths).toSorted()).toEqual([...templates, "/api/openapi.json"].toSorted());
});

test("every reference resolves to a component of the description", () => {
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(100);
  const { components } = description as unknown as { components: Record<string, Record<string, unknown>> };
  expect(references.filter(([, kind, name]) => !components[kind!]?.[name!])).toEqual([]);
});

test("every operation has a summary, who may call it and a 2xx response", () => {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );
  expect(operations.length).toBeGreaterThan(40);
  const isIncomplete = (operation: object) => {
    const { summary, description: who, responses } = operation as Record<string, unknown>;
    const statuses = Object.keys(responses as object);
    return !summary || !/^For \w/.test(String(who)) || !statuses.some((status) => /^2\d\d$/.test(status));
  };
  expect(operations.filter(({ operation }) => isIncomplete(operation)).map(({ name }) => name)).toEqual([]);
});

describe("the response check", () => {
  const schema = {
    type: "object",
    properties: { id: { type: "integer" }, at: { type: "string", format: "date-time" } },
    required: ["id"],
    additionalProperties: false,
  };
  const error = { type: "object", properties: { message: { type: "string" } }, required: ["message"] };
  const check = createApiCheck({
    paths: { "/api/visits/{id}": { get: { responses: { 200: { content: { "application/json": { schema } } } } } } },
    components: { schemas: { Error: error }, responses: {} },
  } satisfies ApiDescription);
  const json = { "content-type": "application/json" };
  const get = (path: string, status: number, body: unknown, headers = json) =>
    check("GET", path, { status, headers, text: JSON.stringify(body) });

  test.each<[string, () => void]>([
    ["a described response", () => get("/api/visits/7?all=1", 200, { id: 7, at: "2026-12-07T15:00:00.000Z" })],
    ["an error response at an undescribed path", () => get("/api/nowhere", 404, { message: "Not found." })],
    ["a page outside of /api", () => get("/visits/7", 418, "")],
  ])("accepts %s", (_name, call) => {
    expect(call).not.toThrow();
  });

  test.each<[string, () => void, RegExp]>([
    ["an undescribed path", () => get("/api/nowhere", 200, {}), /GET \/api\/nowhere answered 200: this is not/],
    [
      "an undescribed method",
      () => check("POST", "/api/visits/7", { status: 201, headers: json, text: "{}" }),
      /POST .* answered 201/,
    ],
    ["an undescribed status code", () => get("/api/visits/7", 202, { id: 7 }), /answered 202: this is not described/],
    ["a missing field", () => get("/api/visits/7", 200, {}), /must have required property 'id'/],
    ["a field of the wrong type", () => get("/api/visits/7", 200, { id: "7" }), /body\/id must be integer/],
    [
      "an additional field",
      () => get("/api/visits/7", 200, { id: 7, secret: 1 }),
      /must NOT have additional properties/,
    ],
    [
      "a date instead of a date-time",
      () => get("/api/visits/7", 200, { id: 7, at: "2026-12-07" }),
      /must match format/,
    ],
    ["an error response without a message", () => get("/api/nowhere", 404, {}), /required property 'message'/],
    [
      "text instead of JSON",
      () => get("/api/visits/7", 200, { id: 7 }, { "content-type": "text/plain" }),
      /is no JSON/,
    ],
  ])("refuses %s", (_name, call, problem) => {
    expect(call).toThrow(problem);
  });
});
