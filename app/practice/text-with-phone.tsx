import { useSite } from "./site.ts";
import { phoneHref } from "./site-links.ts";

/** Shows a sentence in which the practice's phone number is a link, if it contains the number. */
export function TextWithPhone({ text }: { text: string }) {
  const { phone } = useSite().practice;
  const [before, after] = text.split(phone, 2);
  if (after === undefined) return text;
  return (
    <>
      {before}
      <a href={phoneHref(phone)}>{phone}</a>
      {after}
    </>
  );
}
