import type { LoaderFunctionArgs, RouterContextProvider } from "react-router";
import type { z } from "zod";
import { clientIpContext, nodeRequestContext } from "../http/request-context.server.ts";
import { logErrorAndBuildReply } from "../http/errors.server.ts";
import { jsonRefusalResponse, type JsonResponse, jsonResponse, readJsonObject } from "../http/json.server.ts";
import {
  accepted,
  type FieldErrors,
  type Outcome,
  type Refusal,
  type RefusalReason,
  refused,
} from "../http/outcome.ts";
import { accessDeniedRefusal, notSignedInRefusal } from "./authorization.server.ts";
import { getPersonPendingErasure, getPerson, getPersonForSecondFactorSetup } from "./guards.server.ts";
import type { Person } from "./person.ts";
import { isRecentlyAuthenticated, stepUpRefusal } from "./step-up/recent-authentication.server.ts";

/**
 * Who may call an endpoint. `settingUp`: signed-in people, including an administrator who has yet to set up the second
 * factor. `pendingErasure`: signed-in people, including a family whose account is about to be erased, which may call no
 * other endpoints.
 */
export type Access = "anyone" | "signedIn" | "settingUp" | "pendingErasure" | "client" | "admin";
const ERASURE_PENDING_MESSAGE = "This account is about to be deleted. To use it, keep it first.";
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type ApiRequest<Visitor, Body> = {
  /** The signed-in person; null only with access "anyone". */
  person: Visitor;
  body: Body;
  params: Record<string, string | undefined>;
  query: URLSearchParams;
  /** The client's IP address, for rate limits. */
  ip: string;
  request: Request;
  context: Readonly<RouterContextProvider>;
};

/** A response that is not JSON, such as a document. */
export type FileResponseDescription = { contentType: string };
/** The responses of an endpoint by status: the schema of the JSON body, or a file. */
export type ResponseSchemas = { readonly [status: number]: z.ZodType | FileResponseDescription };

/** The API description of an endpoint, in addition to its path and who may call it. */
type EndpointDescription = {
  summary: string;
  responses: ResponseSchemas;
  /** Reasons for refusals, in addition to those of every endpoint of its kind. */
  refusals?: readonly RefusalReason[];
  /** The query parameters. The command parses them. */
  query?: z.ZodObject;
  /** The fields of a form with a file, which middleware has already received. */
  form?: z.ZodObject;
  /** The schema of the whole body, if the command reads the body or validates only part of it. */
  documentedBodySchema?: z.ZodType;
};

export type Endpoint = EndpointDescription & {
  access: Access;
  /** Allowed only within ten minutes after the password or code was entered in this session. */
  needsRecentAuthentication?: true;
  body?: z.ZodType;
  handle: (call: ApiRequest<never, never>) => Promise<Outcome<unknown>>;
};

/** What a command may return: the value of status 200, or a response with its own status. */
type Responses<R extends ResponseSchemas> = {
  [Status in keyof R & number]: R[Status] extends z.ZodType
    ? JsonResponse<z.output<R[Status]>, Status> | (Status extends 200 ? z.output<R[Status]> : never)
    : Response;
}[keyof R & number];

/** Returns an outcome with status 201 instead of 200. */
export function createdOutcome<T>(body: T): { ok: true; value: JsonResponse<T, 201> } {
  return accepted(jsonResponse(body, 201));
}

/** Returns an outcome with status 405, for a record that allows fewer methods than the others of its endpoint. */
export function methodNotAllowedOutcome(allow: string) {
  return accepted(jsonResponse({ message: "That method is not allowed here." }, 405, { Allow: allow }));
}

/**
 * Defines one method of an endpoint: who may call it, the schemas of its body and its responses, and the command it
 * calls.
 */
export function defineEndpoint<
  const W extends Access,
  const R extends ResponseSchemas,
  S extends z.ZodType = z.ZodType<undefined>,
>(
  definition: Omit<Endpoint, "access" | "body" | "responses" | "handle"> & {
    access: W;
    body?: S;
    responses: R;
    handle: (
      call: ApiRequest<W extends "anyone" ? Person | null : Person, z.output<S>>,
    ) => Promise<Outcome<Responses<R>>>;
  },
): Endpoint {
  return definition;
}

export type EndpointTable = Record<string, Partial<Record<Method, Endpoint>>>;

const allEndpoints = new Map<string, EndpointTable[string]>();

/** Returns every endpoint of the API, keyed by its path as in routes.ts, for the API description. */
export function listEndpoints(): ReadonlyMap<string, EndpointTable[string]> {
  return allEndpoints;
}

/**
 * Creates the loader and action of a folder's endpoints, and adds them to the description of the API. Responses are
 * JSON; a refusal has a status and a message. Bad input never causes a 500. Paths are written as in routes.ts.
 */
export function createEndpointHandlers(table: EndpointTable) {
  for (const [path, methods] of Object.entries(table)) allEndpoints.set(path, methods);
  const handleRequest = async ({ request, pattern, params, context, url }: LoaderFunctionArgs): Promise<Response> => {
    const methods = table[pattern.replace(/^\//, "")];
    const method = (request.method === "HEAD" ? "GET" : request.method) as Method;
    const endpoint = methods?.[method];
    const isErasurePending = getPersonPendingErasure(context) !== null;
    const person = findCaller(endpoint?.access, context);
    const isPublic = Object.values(methods ?? {}).some(({ access }) => access === "anyone");
    const access = endpoint?.access ?? "signedIn";
    const accessRefusal = endpoint || !isPublic ? checkAccess(access, person, isErasurePending) : null;
    if (accessRefusal) return jsonRefusalResponse(accessRefusal);
    if (!methods) return jsonRefusalResponse(refused("notFound", "Not found."));
    if (!endpoint) return methodNotAllowedResponse(methods);
    if (endpoint.needsRecentAuthentication && !isRecentlyAuthenticated(context))
      return jsonRefusalResponse(stepUpRefusal);
    try {
      const body = endpoint.body ? await parseAndValidateBody(request, endpoint.body) : accepted(undefined);
      if (!body.ok) return jsonRefusalResponse(body);
      const apiRequest = {
        person,
        body: body.value,
        params,
        query: url.searchParams,
        ip: context.get(clientIpContext),
        request,
        context,
      };
      const outcome = await endpoint.handle(apiRequest as ApiRequest<never, never>);
      if (!outcome.ok) return jsonRefusalResponse(outcome);
      return outcome.value instanceof Response ? outcome.value : jsonResponse(outcome.value);
    } catch (error) {
      if (error instanceof Response) return error;
      const { status, headers, message } = logErrorAndBuildReply(
        error,
        `${method} ${pattern}`,
        context.get(nodeRequestContext),
      );
      return jsonResponse({ message }, status, headers);
    }
  };
  return { loader: handleRequest, action: handleRequest };
}

/** Validates fields against a schema. Refusal: invalid, with the messages by field. */
export function validateFields<S extends z.ZodType>(schema: S, fields: unknown): Outcome<z.output<S>> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return accepted(parsed.data);
  const errors: FieldErrors = {};
  for (const issue of parsed.error.issues) {
    const name = String(issue.path[0] ?? "form");
    const messages = (errors[name] ??= []);
    if (!messages.includes(issue.message)) messages.push(issue.message);
  }
  return refused("invalid", Object.values(errors).flat()[0] ?? "Please check the form.", errors);
}

async function parseAndValidateBody(request: Request, schema: z.ZodType): Promise<Outcome<unknown>> {
  const fields = await readJsonObject(request);
  return fields.ok ? validateFields(schema, fields.value) : fields;
}

function findCaller(access: Access | undefined, context: Readonly<RouterContextProvider>): Person | null {
  if (access === "settingUp") return getPersonForSecondFactorSetup(context);
  const pending = access === "pendingErasure" ? getPersonPendingErasure(context) : null;
  return pending?.person ?? getPerson(context);
}

function checkAccess(access: Access, person: Person | null, isErasurePending: boolean): Refusal | null {
  if (access === "anyone") return null;
  if (!person) return isErasurePending ? refused("forbidden", ERASURE_PENDING_MESSAGE) : notSignedInRefusal();
  const isAllowed =
    access === "signedIn" ||
    access === "settingUp" ||
    access === "pendingErasure" ||
    (access === "admin" ? person.isAdmin : person.isClient && !person.isAdmin);
  return isAllowed ? null : accessDeniedRefusal();
}

function methodNotAllowedResponse(methods: Partial<Record<Method, Endpoint>>): Response {
  const allow = Object.keys(methods).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return methodNotAllowedOutcome(allow.join(", ")).value;
}
