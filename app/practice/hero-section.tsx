import { LinkButton } from "../ui/button.tsx";
import { SeparatedList } from "../ui/separated-list.tsx";
import { EXPERIENCE_TEXT, PRACTICE_LOCATION } from "./site-content.ts";
import { HeroArt } from "./hero-art.tsx";
import { DecorativeLine } from "./brand-art.tsx";

export function HeroSection({ isPrimary }: { isPrimary: boolean }) {
  return (
    <section id="home" aria-labelledby="home-title" className="hero">
      <div className="grid grid-cols-1 gap-6 lg:pb-8">
        <h1 id="home-title" className="text-4xl">
          From a tangle of paperwork to one clear next step.
        </h1>
        <p className="max-w-128 text-lg">
          Advocacy and consulting for families raising children with special needs. You bring the letters, the reports
          and the worries. We sort them with you, in plain words, and stay at your side.
        </p>
        <div className="flex flex-wrap gap-3">
          <LinkButton variant={isPrimary ? "primary" : "secondary"} href="#services">
            Schedule Consultation
          </LinkButton>
          <LinkButton href="#services">Learn More</LinkButton>
        </div>
        <p className="button-note -mt-3">Either way, you see services and prices first.</p>
        <p className="text-muted">
          <SeparatedList items={[EXPERIENCE_TEXT, PRACTICE_LOCATION]} />
        </p>
      </div>
      <HeroArt />
      <HeroLineEnd />
    </section>
  );
}

/** Draws the thread from the hero illustration to the left margin, as wide as that distance. */
function HeroLineEnd() {
  const path = "M1000 0C986 46 923 52 735 52S226 40 113 52 0 78 0 100";
  return (
    <DecorativeLine className="thread-tail" viewBox="0 0 1000 100" path={path} hasConstantStrokeWidth isStretched />
  );
}
