import { phoneHref } from "../../practice/site-links.ts";
import { useSite } from "../../practice/site.ts";

/** Replaces the link that moves a visit, less than 24 hours before its start. */
export function MoveByPhoneNotice() {
  const { phone } = useSite().practice;
  return (
    <p className="text-muted">
      To move it, call{" "}
      <a href={phoneHref(phone)} className="link-target">
        {phone}
      </a>
    </p>
  );
}
