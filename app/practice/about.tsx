import { ADVOCACY_AREAS, BUSINESS_DETAILS, CREDENTIALS, EXPERIENCE } from "./facts.ts";
import { Section } from "./section.tsx";

export function About() {
  return (
    <Section
      id="about"
      title="About"
      lead="One consultant, who knows schools, clinics and homes, and knows how much there is to carry."
    >
      <div className="facts-list">
        <div>
          <h3>Consulting/Advocating</h3>
          <p className="mt-3">
            {EXPERIENCE} with families of children with special needs. We help you understand your choices, get ready
            for meetings, and be heard in them.
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
    </Section>
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
