import { ADVOCACY_AREAS, PRACTICE_LOCATION, SERVICES, type Service } from "./site-content.ts";
import { type WeeklyHours, WEEKDAYS } from "./office-hours.ts";
import { type Site, useSite } from "./site.ts";

/**
 * Describes the practice for search engines (schema.org). A data block, to which the Content-Security-Policy does not
 * apply.
 */
export function StructuredData({ week }: { week: WeeklyHours }) {
  const json = JSON.stringify(buildLocalBusinessJsonLd(useSite(), week)).replaceAll("<", "\\u003c");
  return <script type="application/ld+json">{json}</script>;
}

function buildLocalBusinessJsonLd({ origin, practice }: Site, week: WeeklyHours) {
  const { name, phone, email, consultant } = practice;
  const [city, state] = PRACTICE_LOCATION.split(", ");
  return {
    "@context": "https://schema.org",
    "@type": "LocalBusiness",
    "@id": `${origin}/#practice`,
    name,
    url: `${origin}/`,
    image: `${origin}/static/social-card.png`,
    telephone: phone,
    email,
    address: { "@type": "PostalAddress", addressLocality: city, addressRegion: state, addressCountry: "US" },
    areaServed: ["New Jersey", "United States"],
    knowsAbout: ADVOCACY_AREAS,
    priceRange: "$40–$400",
    openingHoursSpecification: week.flatMap((hours, weekday) =>
      hours
        ? [
            {
              "@type": "OpeningHoursSpecification",
              dayOfWeek: WEEKDAYS[weekday],
              opens: format24HourTime(hours.opens),
              closes: format24HourTime(hours.closes),
            },
          ]
        : [],
    ),
    ...(consultant ? { employee: { "@type": "Person", name: consultant.name } } : {}),
    makesOffer: SERVICES.map((service) => ({
      "@type": "Offer",
      url: `${origin}/#services`,
      itemOffered: { "@type": "Service", name: service.title, description: service.description },
      priceSpecification: { "@type": "PriceSpecification", priceCurrency: "USD", ...toPriceSpecification(service) },
    })),
  };
}

function toPriceSpecification({ priceCents, priceRangeCents }: Service) {
  if (priceCents !== undefined) return { price: priceCents / 100 };
  const [from, to] = priceRangeCents;
  return { minPrice: from / 100, maxPrice: to / 100 };
}

/** Formats minutes after midnight as "18:30". */
function format24HourTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
