import { LinkButton } from "../ui/button.tsx";
import { EXPERIENCE, PLACE } from "./facts.ts";
import { HeroArt } from "./hero-art.tsx";
import { ThreadTail } from "./thread.tsx";

export function Hero() {
  return (
    <section id="home" aria-labelledby="home-title" className="hero">
      <div className="grid gap-6 lg:pb-8">
        <h1 id="home-title" className="text-4xl">
          From a tangle of paperwork to one clear next step.
        </h1>
        <p className="max-w-128 text-lg">
          Advocacy and consulting for families raising children with special needs. You bring the letters, the reports
          and the worries. We sort them with you, in plain words, and stay at your side.
        </p>
        <div className="flex flex-wrap gap-3">
          <LinkButton variant="primary" href="#services">
            Schedule Consultation
          </LinkButton>
          <LinkButton href="#services">Learn More</LinkButton>
        </div>
        <p className="text-muted">
          {EXPERIENCE} · {PLACE}
        </p>
      </div>
      <HeroArt />
      <ThreadTail />
    </section>
  );
}
