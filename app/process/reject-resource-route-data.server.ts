import type { NextFunction, Request, Response } from "express";
import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";
import { isDataRequest, pagePath, rejectRequest } from "../http/request-guard.server.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { isSafeMethod } from "../http/same-origin.server.ts";

/**
 * Express middleware that rejects `.data` requests for resource routes, such as `/documents/archive.zip.data`, because
 * the framework would buffer the whole response to re-encode it. No page requests them. Form posts are allowed.
 */
export function rejectResourceRouteDataMiddleware(routes: ServerBuild["routes"]) {
  const routeTree = buildRouteTree(routes, undefined);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!isSafeMethod(request.method) || !isDataRequest(request.path)) return next();
    const matchedRouteId = matchRoutes(routeTree, pagePath(request.path))?.at(-1)?.route.id;
    if (matchedRouteId === undefined || routes[matchedRouteId]?.module.default) return next();
    rejectRequest(response, HTTP_STATUS.notFound, "Not found.");
  };
}

function buildRouteTree(routes: ServerBuild["routes"], parent: string | undefined): RouteObject[] {
  const children = Object.values(routes).filter((route) => route !== undefined && route.parentId === parent);
  return children.map((route) => {
    const { id, path, index, caseSensitive } = route!;
    return index
      ? { id, path, index, caseSensitive }
      : { id, path, caseSensitive, children: buildRouteTree(routes, id) };
  });
}
