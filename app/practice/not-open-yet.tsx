import { data } from "react-router";
import { STATUS } from "../http/outcome.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { useSite } from "./site.ts";

/** The loader of a page whose part of the product is not there yet. */
export function notOpenYet() {
  return data(null, { status: STATUS.notBuilt });
}

export function NotOpenYet({ heading, text }: { heading: string; text: string }) {
  const { phone } = useSite().practice;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageTitle>{heading}</PageTitle>
      <h1>{heading}</h1>
      <p>{text}</p>
      <p>
        Please call <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a> and we will help you right away.
      </p>
    </main>
  );
}
