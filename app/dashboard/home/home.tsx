import { HomePage } from "../../practice/home-page.tsx";
import { schedulingRules } from "../../practice/settings.server.ts";
import type { PageHandle } from "../../ui/page-handle.ts";
import type { Route } from "./+types/home";
import { WelcomeBanner } from "./welcome-banner.tsx";
import { loadWelcome } from "./welcome.server.ts";

export const handle: PageHandle = { static: true, cache: true };

export async function loader({ context }: Route.LoaderArgs) {
  const [welcome, { week }] = await Promise.all([loadWelcome(context), schedulingRules()]);
  return { welcome, week };
}

/** The public page, with a greeting and the next step for whoever is signed in. */
export default function Home({ loaderData: { welcome, week } }: Route.ComponentProps) {
  const hasNextStep = welcome !== null && (welcome.role === "administrator" || welcome.booking !== null);
  return <HomePage welcome={welcome && <WelcomeBanner welcome={welcome} />} hasNextStep={hasNextStep} week={week} />;
}
