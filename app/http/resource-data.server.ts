import type { NextFunction, Request, Response } from "express";
import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";
import { reject } from "./request-guard.server.ts";
import { HTTP_STATUS } from "./outcome.ts";

const DATA = ".data";

/**
 * Refuses to read a file, or anything else that is no page, as the data of a page (`/documents/archive.zip.data`): the
 * framework would gather the whole answer in memory to write it anew. No page of ours asks for one so; forms may be
 * sent to an address without a page.
 */
export function refuseResourceData(routes: ServerBuild["routes"]) {
  const table = childrenOf(routes, undefined);
  return (request: Request, response: Response, next: NextFunction): void => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || !request.path.endsWith(DATA)) return next();
    const leaf = matchRoutes(table, request.path.slice(0, -DATA.length) || "/")?.at(-1)?.route.id;
    if (leaf === undefined || routes[leaf]?.module.default) return next();
    reject(response, HTTP_STATUS.notFound, "Not found.");
  };
}

function childrenOf(routes: ServerBuild["routes"], parent: string | undefined): RouteObject[] {
  const own = Object.values(routes).filter((route) => route !== undefined && route.parentId === parent);
  return own.map((route) => {
    const { id, path, index, caseSensitive } = route!;
    return index ? { id, path, index, caseSensitive } : { id, path, caseSensitive, children: childrenOf(routes, id) };
  });
}
