// Proves that the API description is public, contains no secrets and equals the files in docs/.
import { expect, test } from "vitest";
import { renderApiReference } from "../../bin/api-reference.js";
import { readApiDescription } from "../support/api-description.ts";
import { read } from "../support/source-files.ts";
import { adminPassword, environment, family, visitor } from "../support/site.ts";

const PATH = "/api/openapi.json";

test("a visitor gets the API description, which any cache may store for an hour", async () => {
  const response = await visitor().get(PATH);
  expect([response.status, response.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
  expect(response.headers["cache-control"]).toBe("public, max-age=3600");
  expect(response.headers["set-cookie"]).toBeUndefined();
  expect(response.json.openapi).toBe("3.1.0");
});

test("a family gets the same API description, byte for byte", async () => {
  const [one, other] = await Promise.all([visitor().get(PATH), (await family()).get(PATH)]);
  expect(other.text).toBe(one.text);
});

test("the API description contains no secrets or settings of the server", async () => {
  const { text } = await visitor().get(PATH);
  const secrets = [environment.SESSION_SECRET, environment.FILE_KEYS, environment.DATABASE_URL, environment.DATA_DIR];
  expect([adminPassword, environment.APP_ORIGIN, ...secrets].filter((secret) => text.includes(secret))).toEqual([]);
});

test("POST and DELETE on the API description get 401 for visitors and 404 for families", async () => {
  const person = await family();
  expect((await visitor().post(PATH, {})).status).toBe(401);
  expect((await person.post(PATH, {})).status).toBe(404);
  expect((await person.delete(PATH)).status).toBe(404);
});

test("docs/openapi.json is the description that the site serves; npm run api-docs writes it", async () => {
  expect(readApiDescription()).toEqual((await visitor().get(PATH)).json);
});

test("docs/api.md is generated from the API description; npm run api-docs writes it", () => {
  const description = readApiDescription() as unknown as Parameters<typeof renderApiReference>[0];
  expect(read("docs/api.md")).toBe(renderApiReference(description));
});
