// Holds that one module reads all request bodies and one parses all forms, with field names from the schema alone.
import { expect, test } from "vitest";
import { filesBelow, read } from "../support/source-files.ts";

const sources = filesBelow("app").filter((file) => /\.tsx?$/.test(file));
const filesWith = (pattern: RegExp) => sources.filter((file) => pattern.test(read(file)));

test("only app/http/form.server.ts calls formData() and imports @conform-to/zod", () => {
  expect(filesWith(/\.formData\(|@conform-to\/zod/)).toEqual(["app/http/form.server.ts"]);
});

test("only app/http/request-body.server.ts reads a request body", () => {
  const reads = /\brequest\.(body\b|text\(|json\(|blob\(|bytes\(|arrayBuffer\()/;
  expect(filesWith(reads)).toEqual(["app/http/request-body.server.ts"]);
});
