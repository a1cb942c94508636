import type { ReactNode } from "react";
import { PageMeta } from "../ui/page-meta.tsx";
import { AboutSection } from "./about-section.tsx";
import { ConsultantIntroduction } from "./consultant-introduction.tsx";
import { ContactSection } from "./contact-section.tsx";
import { HeroSection } from "./hero-section.tsx";
import type { WeeklyHours } from "./office-hours.ts";
import { ResourcesSection } from "./resources-section.tsx";
import { ServicesSection } from "./services-section.tsx";
import { useSite } from "./site.ts";
import { StructuredData } from "./structured-data.tsx";

type HomePageProps = {
  /** Shown above the page. With `hasNextStep` it contains the page's only primary button. */
  welcome: ReactNode;
  hasNextStep: boolean;
  /** The next free time of the first service, as text. */
  nextFreeTime: string | null;
  /** The office hours. */
  week: WeeklyHours;
};

export function HomePage({ welcome, hasNextStep, nextFreeTime, week }: HomePageProps) {
  const { person } = useSite();
  return (
    <main id="main" tabIndex={-1} data-anchors>
      <PageMeta description="Advocacy and consulting for families raising children with special needs: IEP and educational advocacy, medical coordination, home management strategies. Long Branch, NJ.">
        Special-needs advocacy for families
      </PageMeta>
      <StructuredData week={week} />
      {welcome}
      <HeroSection isPrimary={!hasNextStep} />
      <ConsultantIntroduction />
      <AboutSection />
      <ServicesSection isSignedIn={person !== null} nextFreeTime={nextFreeTime} />
      <ResourcesSection />
      <ContactSection isPrimary={!hasNextStep} week={week} />
    </main>
  );
}
