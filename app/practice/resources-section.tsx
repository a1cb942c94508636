import { RESOURCES } from "./site-content.ts";
import { HomeSection } from "./home-section.tsx";

/** Lists announced resources. Their buttons are disabled. */
export function ResourcesSection() {
  return (
    <HomeSection id="resources" title="Resource Library">
      <div className="resources">
        <p className="resources-banner">
          <strong className="font-display text-2xl">COMING SOON!!</strong>
          <span>Exciting resources are on their way!</span>
        </p>
        <ul className="offers">
          {RESOURCES.map(({ title, action }) => (
            <li key={title} className="card resource">
              <h3>{title}</h3>
              <button type="button" disabled className="button mt-auto self-start">
                {action}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </HomeSection>
  );
}
