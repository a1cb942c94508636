import type { RouteConfigEntry } from "@react-router/dev/routes";
import table from "../../app/routes.ts";

/** `id` is what the framework calls the route by. */
export type RoutePath = { path: string; id: string; file: string; layouts: string[]; layoutIds: string[] };

/** Every file of the route table, layouts included. */
export const routeFiles: ReadonlySet<string> = new Set(collectFiles(table));

/** Every address of the product, with the layouts whose guards it passes. */
export const routePaths: readonly RoutePath[] = collectPaths(table);

/** The id by which `?_routes=` names the page of an address. */
export function findRouteId(path: string): string {
  const route = routePaths.find((each) => each.path === path);
  if (!route) throw new Error(`There is no route ${path}.`);
  return route.id;
}

function collectFiles(entries: RouteConfigEntry[]): string[] {
  return entries.flatMap((entry) => [`app/${entry.file}`, ...collectFiles(entry.children ?? [])]);
}

function collectPaths(
  entries: RouteConfigEntry[],
  base = "",
  layouts: string[] = [],
  layoutIds: string[] = [],
): RoutePath[] {
  return entries.flatMap((entry) => {
    const path = [base, entry.path].filter(Boolean).join("/");
    const isAddress = entry.index === true || entry.path !== undefined;
    const { id = "" } = entry;
    const own = isAddress ? [{ path: `/${path}`, id, file: `app/${entry.file}`, layouts, layoutIds }] : [];
    const below = collectPaths(entry.children ?? [], path, [...layouts, `app/${entry.file}`], [...layoutIds, id]);
    return [...own, ...below];
  });
}
