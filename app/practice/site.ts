import { useRouteLoaderData } from "react-router";

/** The consultant's public profile. `portrait` is the URL of an image. */
export type ConsultantProfile = { name: string; bio: string; license: string; portrait: string | null };

/** The data of every page: the practice's configuration and the signed-in person (loaded by root.tsx). */
export type Site = {
  person: { id: number; firstName: string; lastName: string; email: string; isAdmin: boolean } | null;
  practice: { name: string; phone: string; email: string; timeZone: string; consultant: ConsultantProfile | null };
  /** For visitors: the pages for an account, with what was chosen before. */
  accountUrls: { loginUrl: string; registerUrl: string } | null;
  origin: string;
  year: number;
};

export function useSite(): Site {
  const site = useRouteLoaderData("root") as Site | undefined;
  if (!site) throw new Error("The page frame has no data.");
  return site;
}
