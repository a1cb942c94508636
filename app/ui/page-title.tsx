import { useRouteLoaderData } from "react-router";

type PageTitleProps = {
  children: string;
  hasError?: boolean;
  /** For search engines: pages that visitors can find have one. */
  description?: string;
};

/**
 * The document's title. Each page renders exactly one; a page leaves its own out while a dialog of its outlet shows
 * one. `error` for a page that shows an error summary: the change is the first thing a screen reader says.
 */
export function PageTitle({ children, hasError = false, description }: PageTitleProps) {
  const root = useRouteLoaderData("root") as { practice: { name: string } } | undefined;
  const suffix = root ? ` · ${root.practice.name}` : "";
  return (
    <>
      <title>{`${hasError ? "Error: " : ""}${children}${suffix}`}</title>
      {description && <meta name="description" content={description} />}
    </>
  );
}
