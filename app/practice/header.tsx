import type { ReactNode } from "react";
import { preload } from "react-dom";
import { useRouteLoaderData } from "react-router";
import { LinkButton } from "../ui/button.tsx";
import textFont from "../ui/fonts/text.woff2?url";
import { CloseIcon, MenuIcon } from "../ui/icons.tsx";
import { SECTION_LINKS } from "./site-links.ts";
import type { Site } from "./site.ts";
import { Logo } from "./brand-art.tsx";

const PANEL_ID = "site-panel";
const DEFAULT_ACCOUNT_URLS = { loginUrl: "/login", registerUrl: "/register" };

/**
 * Shows the header. `menu` is the signed-in person's menu; visitors get the sections, Sign In and Get Started. Hydrated
 * pages always have a person, so those links are not part of their scripts.
 */
export function Header({ person, menu }: { person: Site["person"]; menu: ReactNode }) {
  // Loaded in parallel with the stylesheet, to avoid a layout shift.
  preload(textFont, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  // Also rendered on the error page, where the layout's data may be missing.
  const site = useRouteLoaderData("root") as Site | undefined;
  return (
    <header data-site className="site-header">
      <a className="skip-link" href="#main">
        Skip to main content
      </a>
      <div className="site-bar">
        <a className="brand" href="/">
          <Logo />
          <span>{site?.practice.name ?? "Home"}</span>
        </a>
        {person ? menu : import.meta.env.SSR && <VisitorNavigation {...(site?.accountUrls ?? DEFAULT_ACCOUNT_URLS)} />}
      </div>
    </header>
  );
}

function VisitorNavigation({ loginUrl, registerUrl }: NonNullable<Site["accountUrls"]>) {
  return (
    <>
      <nav aria-label="Main" className="hidden grow flex-wrap items-center justify-end gap-1 lg:flex">
        <SectionLinks />
        <LinkButton variant="quiet" href={loginUrl} className="ml-2">
          Sign In
        </LinkButton>
        <LinkButton href={registerUrl}>Get Started</LinkButton>
      </nav>
      <button type="button" popoverTarget={PANEL_ID} className="button button-quiet -mr-3 lg:hidden">
        <MenuIcon />
        Menu
      </button>
      <div id={PANEL_ID} popover="auto" data-panel className="side-panel">
        <nav aria-label="Menu" className="flex flex-col">
          {/* Receives the focus when the panel opens, so that CSS can detect when the focus has left the panel. */}
          <button
            type="button"
            autoFocus
            popoverTarget={PANEL_ID}
            popoverTargetAction="hide"
            className="button button-quiet mb-2 self-end"
          >
            <CloseIcon />
            Close
          </button>
          <SectionLinks />
          <LinkButton href={loginUrl} className="mt-5">
            Sign In
          </LinkButton>
          <LinkButton variant="primary" href={registerUrl} className="mt-3">
            Get Started
          </LinkButton>
        </nav>
      </div>
    </>
  );
}

function SectionLinks() {
  return SECTION_LINKS.map(({ label, href }) => (
    <a key={href} href={href} className="site-link">
      {label}
    </a>
  ));
}
