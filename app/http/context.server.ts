import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createContext, RouterContextProvider } from "react-router";
import { clientIp } from "./client-ip.server.ts";

/** The visitor's network address, for rate limits. */
export const clientIpContext = createContext<string>();

/** Marks this answer's own inline scripts; a page that hydrates gets a fresh one each time. */
export const nonceContext = createContext<string>();

/** The request as it came over the wire, for what is read from it before the framework. */
export const nodeRequestContext = createContext<object>({});

/** The connection that the answer goes to; null where nobody waits on one. */
export const nodeResponseContext = createContext<ServerResponse | null>(null);

type NodeRequest = Pick<IncomingMessage, "headers" | "socket"> & { res?: ServerResponse };

/** What a request brings with it before any route is looked at. */
export function createRequestContext(request: NodeRequest): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(nodeRequestContext, request);
  context.set(nodeResponseContext, request.res ?? null);
  context.set(clientIpContext, clientIp(request));
  context.set(nonceContext, randomBytes(16).toString("base64"));
  return context;
}
