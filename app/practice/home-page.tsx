import type { ReactNode } from "react";
import { PageTitle } from "../ui/page-title.tsx";
import { AboutSection } from "./about-section.tsx";
import { ContactSection } from "./contact-section.tsx";
import { HeroSection } from "./hero-section.tsx";
import { ResourcesSection } from "./resources-section.tsx";
import { ServicesSection } from "./services-section.tsx";
import { useSite } from "./site.ts";

/** `welcome` stands above the page; with `hasNextStep` it holds the one accent button. */
export function HomePage({ welcome, hasNextStep }: { welcome: ReactNode; hasNextStep: boolean }) {
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
      <ContactSection isPrimary={!hasNextStep} />
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
