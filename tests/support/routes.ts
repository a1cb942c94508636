import type { RouteConfigEntry } from "@react-router/dev/routes";
import table from "../../app/routes.ts";

export type Address = { path: string; file: string; layouts: string[] };

/** Every file of the route table, layouts included. */
export const routeFiles: ReadonlySet<string> = new Set(filesOf(table));

/** Every address of the product, with the layouts whose guards it passes. */
export const addresses: readonly Address[] = addressesOf(table);

function filesOf(entries: RouteConfigEntry[]): string[] {
  return entries.flatMap((entry) => [`app/${entry.file}`, ...filesOf(entry.children ?? [])]);
}

function addressesOf(entries: RouteConfigEntry[], base = "", layouts: string[] = []): Address[] {
  return entries.flatMap((entry) => {
    const path = [base, entry.path].filter(Boolean).join("/");
    const isAddress = entry.index === true || entry.path !== undefined;
    const own = isAddress ? [{ path: `/${path}`, file: `app/${entry.file}`, layouts }] : [];
    return [...own, ...addressesOf(entry.children ?? [], path, [...layouts, `app/${entry.file}`])];
  });
}
