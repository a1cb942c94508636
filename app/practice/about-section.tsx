import { ADVOCACY_AREAS, BUSINESS_DETAILS, CREDENTIALS, EXPERIENCE_TEXT } from "./site-content.ts";
import { HomeSection } from "./home-section.tsx";

/** A family's steps from the first contact to the first answer. */
const STEPS = [
  { title: "Tell us once", text: "A short form about your child. It saves as you go, so you can stop at any time." },
  { title: "Pick a time", text: "You see the open times and the price first. Meet online or in person." },
  { title: "Know what comes next", text: "We read the papers with you. You leave with one clear next step." },
] as const;

export function AboutSection() {
  return (
    <HomeSection
      id="about"
      title="About"
      lead="One consultant, who knows schools, clinics and homes, and knows how much there is to carry."
    >
      <ol className="steps" aria-label="How it goes">
        {STEPS.map(({ title, text }, index) => (
          <li key={title}>
            <span className="step-number" aria-hidden="true">
              {index + 1}
            </span>
            <h3>{title}</h3>
            <p className="mt-2">{text}</p>
          </li>
        ))}
      </ol>
      <div className="facts-list">
        <div>
          <h3>Consulting/Advocating</h3>
          <p className="mt-3">
            {EXPERIENCE_TEXT} with families of children with special needs. We help you understand your choices, get
            ready for meetings, and be heard in them.
          </p>
          <p className="mt-3 text-muted">
            An IEP (Individualized Education Program) is the plan a public school writes for a child who gets special
            education. A 504 plan lists the changes a school makes so that a child with a disability can take part.
          </p>
        </div>
        <FactList title="Advocacy areas" items={ADVOCACY_AREAS} />
        <FactList title="Business details" items={BUSINESS_DETAILS} />
        <FactList title="Professional credentials" items={CREDENTIALS} />
      </div>
    </HomeSection>
  );
}

function FactList({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul className="stitched mt-3">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}
