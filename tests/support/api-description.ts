import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { IncomingHttpHeaders } from "node:http";
import { read } from "./source-files.ts";

type Schema = Record<string, unknown>;
type DescribedResponse = { $ref?: string; content?: Record<string, { schema?: Schema }> };
type Operation = { responses: Record<string, DescribedResponse> };
/** The parts of docs/openapi.json that answers are held against. */
export type ApiDescription = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, DescribedResponse> };
};
type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export function readApiDescription(): ApiDescription {
  return JSON.parse(read("docs/openapi.json")) as ApiDescription;
}

/**
 * Creates the check that holds each answer under /api against a description: it throws for a status or a body that is not
 * described, and for a path or method that is not described and answered with anything but a refusal.
 */
export function createApiCheck(description: ApiDescription) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { "date-time": INSTANT } });
  const { paths, components } = description;
  const templates = Object.entries(paths)
    .toSorted(([one], [other]) => one.split("{").length - other.split("{").length)
    .map(([template, operations]) => ({
      pattern: new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}/*$`, "i"),
      operations,
    }));
  const refusal: DescribedResponse = {
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
  const validators = new Map<Schema, ValidateFunction>();

  function validatorOf(schema: Schema): ValidateFunction {
    const known = validators.get(schema) ?? ajv.compile({ ...schema, components });
    validators.set(schema, known);
    return known;
  }

  function findResponse(method: string, path: string, status: number): DescribedResponse | undefined {
    const operations = templates.find(({ pattern }) => pattern.test(path))?.operations;
    const operation = operations?.[method === "HEAD" ? "get" : method.toLowerCase()];
    if (!operation) return status >= 400 ? refusal : undefined;
    const { $ref, ...response } = operation.responses[status] ?? { $ref: "" };
    if ($ref === "") return undefined;
    return $ref === undefined ? response : components.responses[$ref.split("/").at(-1)!];
  }

  return (method: string, url: string, { status, headers, text }: Answer): void => {
    const path = url.replace(/[?#].*$/, "");
    // The framework's own form of a page, and headers that the HTTP parser refuses, are no calls of the API.
    if (!/^\/api\//i.test(path) || path.endsWith(".data") || status === 431) return;
    const fail = (problem: string) => {
      throw new Error(`${method} ${path} answered ${status}: ${problem} (docs/openapi.json, npm run api-docs)`);
    };
    const response = findResponse(method, path, status);
    if (!response) return fail("this is not described");
    const schema = response.content?.["application/json"]?.schema;
    if (!schema || method === "HEAD") return;
    if (!headers["content-type"]?.startsWith("application/json")) fail(`${headers["content-type"]} is no JSON`);
    const validate = validatorOf(schema);
    const body: unknown = JSON.parse(text);
    if (!validate(body)) fail(`${ajv.errorsText(validate.errors, { dataVar: "body" })} in ${text.slice(0, 500)}`);
  };
}

let check: ReturnType<typeof createApiCheck> | undefined;

/** Holds an answer against docs/openapi.json, which is read at the first one of a process. */
export function checkApiAnswer(method: string, url: string, answer: Answer): void {
  check ??= createApiCheck(readApiDescription());
  check(method, url, answer);
}
