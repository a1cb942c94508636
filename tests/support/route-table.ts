import type { RouteConfigEntry } from "@react-router/dev/routes";
import table from "../../app/routes.ts";

/** `id` is what the framework calls the route by. */
export type RoutePath = { path: string; id: string; file: string; layouts: string[] };

/** Every file of the route table, layouts included. */
export const routeFiles: ReadonlySet<string> = new Set(collectFiles(table));

/** Every address of the product, with the layouts whose guards it passes. */
export const routePaths: readonly RoutePath[] = collectPaths(table);

function collectFiles(entries: RouteConfigEntry[]): string[] {
  return entries.flatMap((entry) => [`app/${entry.file}`, ...collectFiles(entry.children ?? [])]);
}

function collectPaths(entries: RouteConfigEntry[], base = "", layouts: string[] = []): RoutePath[] {
  return entries.flatMap((entry) => {
    const path = [base, entry.path].filter(Boolean).join("/");
    const isAddress = entry.index === true || entry.path !== undefined;
    const id = entry.id ?? entry.file.replace(/\.tsx?$/, "");
    const own = isAddress ? [{ path: `/${path}`, id, file: `app/${entry.file}`, layouts }] : [];
    return [...own, ...collectPaths(entry.children ?? [], path, [...layouts, `app/${entry.file}`])];
  });
}
