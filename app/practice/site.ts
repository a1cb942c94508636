import { useRouteLoaderData } from "react-router";

/** What every page knows: the practice as configured, and who is visiting (root.tsx loads it). */
export type Site = {
  person: { id: number; firstName: string; lastName: string; email: string; isAdmin: boolean } | null;
  practice: { name: string; phone: string; email: string; timeZone: string };
  origin: string;
  year: number;
};

export function useSite(): Site {
  const site = useRouteLoaderData("root") as Site | undefined;
  if (!site) throw new Error("The page frame has no data.");
  return site;
}
