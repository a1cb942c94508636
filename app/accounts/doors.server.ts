import type { LoaderFunctionArgs, RouterContextProvider } from "react-router";
import type { z } from "zod";
import { clientIpContext, nodeRequestContext } from "../http/context.server.ts";
import { apiError } from "../http/failure.server.ts";
import { jsonResponse, readJson, errorResponse } from "../http/json.server.ts";
import { accepted, type FieldErrors, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { visitorOf } from "./guards.server.ts";
import type { Person } from "./person.ts";

type Who = "anyone" | "signedIn" | "client" | "admin";
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Call<Visitor, Body> = {
  /** Who calls; null only behind a door for anyone. */
  person: Visitor;
  body: Body;
  params: Record<string, string | undefined>;
  query: URLSearchParams;
  /** The visitor's network address, for rate limits. */
  address: string;
  request: Request;
  context: Readonly<RouterContextProvider>;
};

type Door = {
  who: Who;
  body?: z.ZodType;
  run: (call: Call<never, never>) => Promise<Outcome<unknown>>;
};

/** A value that is answered with 201 instead of 200. */
export function created(body: unknown): { ok: true; value: Response } {
  return accepted(jsonResponse(body, 201));
}

/** For one of several records behind an address that takes fewer methods than the others. */
export function methodNotAllowed(allow: string): { ok: true; value: Response } {
  return accepted(jsonResponse({ message: "That method is not allowed here." }, 405, { Allow: allow }));
}

/** One method of one address: who may call it, the shape of its body, and the command behind it. */
export function door<const W extends Who, S extends z.ZodType = z.ZodType<undefined>>(definition: {
  who: W;
  body?: S;
  run: (call: Call<W extends "anyone" ? Person | null : Person, z.output<S>>) => Promise<Outcome<unknown>>;
}): Door {
  return definition;
}

export type DoorTable = Record<string, Partial<Record<Method, Door>>>;

/**
 * The API of one folder. Every answer is JSON, every refusal a status with a sentence; what a caller sends never
 * ends as a 500. Paths are written as in routes.ts.
 */
export function doors(table: DoorTable) {
  const open = async ({ request, pattern, params, context, url }: LoaderFunctionArgs): Promise<Response> => {
    const methods = table[pattern.replace(/^\//, "")];
    const visitor = visitorOf(context);
    const method = (request.method === "HEAD" ? "GET" : request.method) as Method;
    const chosen = methods?.[method];
    const isOpen = Object.values(methods ?? {}).some(({ who }) => who === "anyone");
    const turnedAway = chosen || !isOpen ? refusalFor(chosen?.who ?? "signedIn", visitor) : null;
    if (turnedAway) return errorResponse(turnedAway);
    if (!methods) return errorResponse(refused("notFound", "Not found."));
    if (!chosen) return notAllowed(methods);
    try {
      const body = chosen.body ? await readBody(request, chosen.body) : accepted(undefined);
      if (!body.ok) return errorResponse(body);
      const call = {
        person: visitor,
        body: body.value,
        params,
        query: url.searchParams,
        address: context.get(clientIpContext),
        request,
        context,
      };
      const outcome = await chosen.run(call as Call<never, never>);
      if (!outcome.ok) return errorResponse(outcome);
      return outcome.value instanceof Response ? outcome.value : jsonResponse(outcome.value);
    } catch (error) {
      if (error instanceof Response) return error;
      const { status, headers, message } = apiError(error, `${method} ${pattern}`, context.get(nodeRequestContext));
      return jsonResponse({ message }, status, headers);
    }
  };
  return { loader: open, action: open };
}

/** Checks fields against a schema; every mistake is named under its field. */
export function checkFields<S extends z.ZodType>(schema: S, fields: unknown): Outcome<z.output<S>> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return accepted(parsed.data);
  const errors: FieldErrors = {};
  for (const issue of parsed.error.issues) {
    const name = String(issue.path[0] ?? "form");
    const said = (errors[name] ??= []);
    if (!said.includes(issue.message)) said.push(issue.message);
  }
  return refused("invalid", Object.values(errors).flat()[0] ?? "Please check the form.", errors);
}

async function readBody(request: Request, schema: z.ZodType): Promise<Outcome<unknown>> {
  const fields = await readJson(request);
  return fields.ok ? checkFields(schema, fields.value) : fields;
}

function refusalFor(who: Who, visitor: Person | null): Refusal | null {
  if (who === "anyone") return null;
  if (!visitor) return refused("unauthorized", "Unauthorized");
  const may = who === "signedIn" || (who === "admin" ? visitor.isAdmin : visitor.isClient && !visitor.isAdmin);
  return may ? null : refused("forbidden", "You don't have access to this.");
}

function notAllowed(methods: Partial<Record<Method, Door>>): Response {
  const allow = Object.keys(methods).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return methodNotAllowed(allow.join(", ")).value;
}
