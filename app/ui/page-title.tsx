import { useRouteLoaderData } from "react-router";

type PageTitleProps = {
  children: string;
  hasError?: boolean;
  /** The meta description of public pages. */
  description?: string;
};

/**
 * The document's title. Each page renders exactly one; a page omits its own while a dialog of its outlet renders one.
 * With `hasError` the title begins with "Error", which screen readers announce first.
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
