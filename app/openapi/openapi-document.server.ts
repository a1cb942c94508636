import type { z } from "zod";
import {
  type Access,
  type Endpoint,
  type FileResponseDescription,
  listEndpoints,
  type Method,
} from "../accounts/define-endpoint.server.ts";
import { HTTP_STATUS, type RefusalReason } from "../http/outcome.ts";
import { API_INTRODUCTION } from "./api-introduction.ts";
import { type JsonSchema, JsonSchemaConverter } from "./json-schema-converter.server.ts";
import { errorResponseSchema, ERROR_RESPONSES, errorResponseName } from "./error-response-components.ts";

export const OPENAPI_DOCUMENT_PATH = "/api/openapi.json";

const ACCESS_LABELS: Record<Access, string> = {
  anyone: "anyone",
  signedIn: "whoever is signed in",
  settingUp: "whoever is signed in",
  pendingErasure: "a family whose account is to be deleted",
  client: "a family",
  admin: "the administrator",
};
const COMMON_ERROR_STATUSES = [400, 414, 421, 429, 500, 503, 507];
const MUTATION_ERROR_STATUSES = [HTTP_STATUS.forbidden];
const BODY_ERROR_STATUSES = [HTTP_STATUS.tooLarge, HTTP_STATUS.unsupported, HTTP_STATUS.invalid, 501];
const AUTHORIZATION_ERROR_STATUSES = [HTTP_STATUS.unauthorized, HTTP_STATUS.forbidden];

/**
 * Returns the OpenAPI 3.1 document of every endpoint under /api, built from the schemas with which the endpoints
 * validate.
 */
export function buildOpenApiDocument() {
  const schemas = new JsonSchemaConverter();
  const paths: Record<string, Record<string, unknown>> = {
    [OPENAPI_DOCUMENT_PATH]: { get: describeOpenApiDocumentOperation() },
  };
  for (const [route, methods] of listEndpoints()) {
    const operations = Object.entries(methods).map(([method, endpoint]) => [
      method.toLowerCase(),
      describeOperation(route, method as Method, endpoint, schemas),
    ]);
    paths[toPathTemplate(route)] = Object.fromEntries(operations) as Record<string, unknown>;
  }
  const errors = { description: "A refusal", ...jsonContent(schemas.convertResponse(errorResponseSchema)) };
  const responses = ERROR_RESPONSES.map(({ status, description }) => [
    errorResponseName(status),
    { ...errors, description },
  ]);
  return {
    openapi: "3.1.0",
    info: { title: "The practice's API", version: "1", description: API_INTRODUCTION },
    servers: [{ url: "/" }],
    paths: Object.fromEntries(Object.entries(paths).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    components: {
      schemas: schemas.components,
      responses: Object.fromEntries(responses) as Record<string, unknown>,
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "session", description: "`__Host-session` on a public site" },
      },
    },
  };
}

function describeOpenApiDocumentOperation() {
  const responses = {
    200: { description: "OK", ...jsonContent({ type: "object" }) },
    ...errorResponseReferences(COMMON_ERROR_STATUSES),
  };
  return { summary: "This description", description: `For ${ACCESS_LABELS.anyone}.`, security: [], responses };
}

function describeOperation(route: string, method: Method, endpoint: Endpoint, schemas: JsonSchemaConverter) {
  const { summary, access, needsRecentAuthentication } = endpoint;
  const recencySentence = needsRecentAuthentication ? " Within ten minutes after the sign-in, else 403." : "";
  const parameters = [...describePathParameters(route), ...describeQueryParameters(endpoint, schemas)];
  const requestBody = describeBody(endpoint, schemas);
  return {
    summary,
    description: `For ${ACCESS_LABELS[access]}.${recencySentence}`,
    security: access === "anyone" ? [] : [{ session: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...toErrorResponses(route, method, endpoint), ...describeResponses(endpoint, schemas) },
  };
}

function describePathParameters(route: string) {
  return [...route.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "integer" },
  }));
}

function describeQueryParameters({ query }: Endpoint, schemas: JsonSchemaConverter) {
  const { properties = {}, required = [] } = (query ? schemas.convertRequest(query) : {}) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema,
  }));
}

function describeBody({ body, documentedBodySchema: describedBody, form }: Endpoint, schemas: JsonSchemaConverter) {
  const bodySchema = describedBody ?? body;
  if (bodySchema) return { required: true, ...jsonContent(schemas.convertRequest(bodySchema)) };
  if (!form) return null;
  const { properties, required = [], ...rest } = schemas.convertRequest(form) as JsonSchema & { required?: string[] };
  const file = { type: "string", contentMediaType: "application/octet-stream" };
  const schema = { ...rest, properties: { ...(properties as JsonSchema), file }, required: [...required, "file"] };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

function describeResponses({ responses }: Endpoint, schemas: JsonSchemaConverter) {
  const responseEntries = Object.entries(responses).map(([status, response]) => {
    const refusal = ERROR_RESPONSES.find((each) => each.status === Number(status));
    const description = refusal?.description ?? (isFileResponse(response) ? "The file" : "OK");
    const content = isFileResponse(response)
      ? { content: { [response.contentType]: {} } }
      : jsonContent(schemas.convertResponse(response));
    return [status, { description, ...content }];
  });
  return Object.fromEntries(responseEntries) as Record<string, unknown>;
}

function isFileResponse(response: z.ZodType | FileResponseDescription): response is FileResponseDescription {
  return "contentType" in response;
}

function toErrorResponses(route: string, method: Method, { access, refusals = [], ...rest }: Endpoint) {
  const hasBody = rest.body ?? rest.documentedBodySchema ?? rest.form;
  const statuses = [
    ...COMMON_ERROR_STATUSES,
    ...(access === "anyone" ? [] : AUTHORIZATION_ERROR_STATUSES),
    ...(method === "GET" ? [] : MUTATION_ERROR_STATUSES),
    ...(hasBody ? BODY_ERROR_STATUSES : []),
    ...(route.includes(":") ? [HTTP_STATUS.notFound] : []),
    ...refusals.map((reason: RefusalReason) => HTTP_STATUS[reason]),
  ];
  return errorResponseReferences(statuses);
}

function errorResponseReferences(statuses: readonly number[]) {
  const entries = statuses.map((status) => [status, { $ref: `#/components/responses/${errorResponseName(status)}` }]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Converts a path of routes.ts to a path template of OpenAPI. */
function toPathTemplate(route: string): string {
  return `/${route.replace(/:(\w+)/g, "{$1}")}`;
}

function jsonContent(schema: JsonSchema) {
  return { content: { "application/json": { schema } } };
}
