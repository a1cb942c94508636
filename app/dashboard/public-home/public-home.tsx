import { findNextFreeTimeText } from "../../booking/availability/next-free-time.server.ts";
import { defaultServiceMinutes } from "../../booking/prices/service-catalog.ts";
import { HomePage } from "../../practice/home-page.tsx";
import { SERVICES } from "../../practice/site-content.ts";
import { getCachedSchedulingRules } from "../../practice/practice-settings.server.ts";
import type { PageHandle } from "../../ui/page-handle.ts";
import type { Route } from "./+types/public-home";
import { WelcomeBanner } from "./welcome-banner.tsx";
import { loadWelcomeBannerData } from "./welcome.server.ts";

export const handle: PageHandle = { unhydrated: true, cache: "minute" };

export async function loader({ context }: Route.LoaderArgs) {
  const [welcome, { week }, nextFreeTime] = await Promise.all([
    loadWelcomeBannerData(context),
    getCachedSchedulingRules(),
    findNextFreeTimeText(defaultServiceMinutes(SERVICES[0]?.title ?? "")),
  ]);
  return { welcome, week, nextFreeTime };
}

/** Shows the public page. A signed-in person also sees a greeting and the next step. */
export default function Home({ loaderData: { welcome, ...data } }: Route.ComponentProps) {
  const hasNextStep =
    welcome !== null &&
    (welcome.role === "administrator" || welcome.booking !== null || Boolean(welcome.visit?.roomLink));
  return <HomePage welcome={welcome && <WelcomeBanner welcome={welcome} />} hasNextStep={hasNextStep} {...data} />;
}
