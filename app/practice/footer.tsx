import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import { SeparatedList } from "../ui/separated-list.tsx";
import { LEGAL_LINKS, phoneHref, REQUEST_CONSULTATION_PATH, SECTION_LINKS } from "./site-links.ts";
import type { Site } from "./site.ts";

/** Shows the footer of every page, with contact data in a consistent place (WCAG 3.2.6). */
export function Footer() {
  const site = useRouteLoaderData("root") as Site | undefined;
  return (
    <footer data-site className="site-footer">
      <div className="site-footer-columns">
        {site && (
          <section aria-label="Help">
            <h2 className="text-xl text-current">Questions? Call or write.</h2>
            <ul className="mt-2">
              <FooterLink href={phoneHref(site.practice.phone)}>{site.practice.phone}</FooterLink>
              <FooterLink href={`mailto:${site.practice.email}`}>{site.practice.email}</FooterLink>
              <FooterLink href={REQUEST_CONSULTATION_PATH}>Request a consultation</FooterLink>
              <FooterLink href="/comfort">Larger text, calmer colors</FooterLink>
            </ul>
          </section>
        )}
        <nav aria-label="Quick links">
          <h2 className="text-xl text-current">Quick links</h2>
          <ul className="mt-2">
            {[...SECTION_LINKS, { label: "Contact", href: "/#contact" }].map(({ label, href }) => (
              <FooterLink key={href} href={href}>
                {label}
              </FooterLink>
            ))}
          </ul>
        </nav>
        <nav aria-label="Legal">
          <h2 className="text-xl text-current">Legal</h2>
          <ul className="mt-2">
            {LEGAL_LINKS.map(({ label, href }) => (
              <FooterLink key={href} href={href}>
                {label}
              </FooterLink>
            ))}
          </ul>
        </nav>
      </div>
      <div className="site-footer-bottom">
        <p>
          <SeparatedList items={["Licensed Professional Services", "HIPAA Compliant"]} separator="•" />
        </p>
        {site && (
          <p>
            © {site.year} {site.practice.name}
          </p>
        )}
      </div>
    </footer>
  );
}

function FooterLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li>
      <a className="footer-link" href={href}>
        {children}
      </a>
    </li>
  );
}
