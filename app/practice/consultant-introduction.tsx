import { useSite } from "./site.ts";

/** Introduces the consultant in her own words. Renders nothing if none is configured. */
export function ConsultantIntroduction() {
  const { consultant } = useSite().practice;
  if (!consultant) return null;
  return (
    <div className="section letter-section">
      <div className="section-grid">
        <div className="rail rail-top rail-whole" />
        <figure className="letter">
          {consultant.portrait && (
            <img src={consultant.portrait} alt="" width={160} height={180} className="portrait" />
          )}
          {consultant.bio && <blockquote className="consultant-bio">{consultant.bio}</blockquote>}
          <figcaption>
            <span className="font-display text-2xl text-primary">{consultant.name}</span>
            {consultant.license && <span className="block text-muted">{consultant.license}</span>}
          </figcaption>
        </figure>
      </div>
    </div>
  );
}

/** Shows the consultant's portrait and name next to a visit. */
export function ConsultantByline() {
  const { consultant } = useSite().practice;
  if (!consultant) return null;
  return (
    <p className="consultant-line">
      {consultant.portrait && <img src={consultant.portrait} alt="" width={64} height={72} className="portrait" />}
      <span>
        <span className="block text-muted">You'll talk with</span>
        <strong>{consultant.name}</strong>
        {consultant.license && <span className="block text-sm text-muted">{consultant.license}</span>}
      </span>
    </p>
  );
}
