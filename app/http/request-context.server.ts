import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createContext, RouterContextProvider } from "react-router";
import { clientIp } from "./client-ip.server.ts";

/** The client's IP address, for rate limits; "unknown" when a page is rendered for the cache. */
export const clientIpContext = createContext("unknown");

/** The CSP nonce of this response's inline scripts. Pages that hydrate get a new nonce for each response. */
export const nonceContext = createContext<string>();

/** Node's request object, for properties that the framework's Request does not have. */
export const nodeRequestContext = createContext<object>({});

/** Node's response object; null when a page is rendered for the cache. */
export const nodeResponseContext = createContext<ServerResponse | null>(null);

type NodeRequest = Pick<IncomingMessage, "headers" | "socket"> & { res?: ServerResponse };

/** Creates the context that middleware, loaders and actions share. */
export function createRequestContext(request: NodeRequest): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(nodeRequestContext, request);
  context.set(nodeResponseContext, request.res ?? null);
  context.set(clientIpContext, clientIp(request));
  context.set(nonceContext, randomBytes(16).toString("base64"));
  return context;
}
