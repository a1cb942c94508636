import { createContext, useContext } from "react";
import { useLocation, useRouteLoaderData } from "react-router";

/**
 * Text before the title of every page, such as "(1 waiting) ". It comes first because a tab shows only the beginning.
 */
export const TitlePrefixContext = createContext("");

type PageMetaProps = {
  children: string;
  hasError?: boolean;
  /** The meta description of a public page. Such a page also has a canonical address and Open Graph metadata. */
  description?: string;
};

type Root = { origin: string; practice: { name: string } } | undefined;

/**
 * Sets the document's title. Each page renders exactly one; a page omits its own while a dialog in its outlet renders
 * one. With `hasError` the title begins with "Error", which screen readers announce first, after the
 * `TitlePrefixContext`.
 */
export function PageMeta({ children, hasError = false, description }: PageMetaProps) {
  const root = useRouteLoaderData("root") as Root;
  const { pathname } = useLocation();
  const prefix = useContext(TitlePrefixContext);
  const suffix = root ? ` · ${root.practice.name}` : "";
  return (
    <>
      <title>{`${prefix}${hasError ? "Error: " : ""}${children}${suffix}`}</title>
      {description && <meta name="description" content={description} />}
      {description && root && (
        <OpenGraphTags
          siteName={root.practice.name}
          title={children}
          description={description}
          origin={root.origin}
          path={pathname}
        />
      )}
    </>
  );
}

type OpenGraphProps = { siteName: string; title: string; description: string; origin: string; path: string };

/** Renders the metadata with which other sites display a link to a public page. */
function OpenGraphTags({ siteName, title, description, origin, path }: OpenGraphProps) {
  return (
    <>
      <link rel="canonical" href={origin + path} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={origin + path} />
      <meta property="og:image" content={`${origin}/static/social-card.png`} />
      <meta property="og:image:alt" content="A thread leads from tangled letters and forms to one calm line." />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
