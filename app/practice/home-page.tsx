import type { ReactNode } from "react";
import { PageTitle } from "../ui/page-title.tsx";
import { AboutSection } from "./about-section.tsx";
import { ContactSection } from "./contact-section.tsx";
import { HeroSection } from "./hero-section.tsx";
import type { Week } from "./office-hours.ts";
import { ResourcesSection } from "./resources-section.tsx";
import { ServicesSection } from "./services-section.tsx";
import { useSite } from "./site.ts";

type HomePageProps = {
  /** Stands above the page; with `hasNextStep` it holds the one accent button. */
  welcome: ReactNode;
  hasNextStep: boolean;
  /** The office hours. */
  week: Week;
};

export function HomePage({ welcome, hasNextStep, week }: HomePageProps) {
  const { person } = useSite();
  return (
    <main id="main" tabIndex={-1} data-anchors>
      <PageTitle description="Advocacy and consulting for families raising children with special needs: IEP and educational advocacy, medical coordination, home management strategies. Long Branch, NJ.">
        Special-needs advocacy for families
      </PageTitle>
      <OpenGraphTags />
      {welcome}
      <HeroSection isPrimary={!hasNextStep} />
      <AboutSection />
      <ServicesSection isSignedIn={person !== null} />
      <ResourcesSection />
      <ContactSection isPrimary={!hasNextStep} week={week} />
    </main>
  );
}

/** Open Graph metadata for links to the site. React moves the elements into the head. */
function OpenGraphTags() {
  const { origin, practice } = useSite();
  return (
    <>
      <link rel="canonical" href={`${origin}/`} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={practice.name} />
      <meta property="og:description" content="From a tangle of paperwork to one clear next step." />
      <meta property="og:url" content={`${origin}/`} />
      <meta property="og:image" content={`${origin}/static/social-card.png`} />
      <meta property="og:image:alt" content="A thread leads from tangled letters and forms to one calm line." />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
