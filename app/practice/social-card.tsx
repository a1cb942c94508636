import { useSite } from "./site.ts";

/** What is shown where someone shares the address. React lifts these into the head. */
export function SocialCard() {
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
