import type { PageHandle } from "../ui/page-handle.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { About } from "./about.tsx";
import { Contact } from "./contact.tsx";
import { Hero } from "./hero.tsx";
import { Resources } from "./resources.tsx";
import { Services } from "./services.tsx";
import { useSite } from "./site.ts";
import { SocialCard } from "./social-card.tsx";

export const handle: PageHandle = { static: true, cache: true };

export default function Home() {
  const { person } = useSite();
  return (
    <main id="main" tabIndex={-1} data-anchors>
      <PageTitle description="Advocacy and consulting for families raising children with special needs: IEP and educational advocacy, medical coordination, home management strategies. Long Branch, NJ.">
        Special-needs advocacy for families
      </PageTitle>
      <SocialCard />
      <Hero />
      <About />
      <Services isSignedIn={person !== null} />
      <Resources />
      <Contact />
    </main>
  );
}
