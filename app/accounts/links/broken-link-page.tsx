import { phoneHref } from "../../practice/site-links.ts";
import { useSite } from "../../practice/site.ts";
import { LinkButton } from "../../ui/button.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import { NarrowPage } from "../narrow-page.tsx";

type PageLink = { text: string; href: string };
/** `newLink` is where a person can get a new link without calling. */
type BrokenLinkPageProps = { title?: string; reason: string; newLink?: PageLink; back?: PageLink };

/** Page for a one-time link that is unknown, used or expired. Shows the practice's phone number. */
export function BrokenLinkPage({
  title = "This link no longer works",
  reason,
  newLink,
  back = { text: "Go to sign in", href: "/login" },
}: BrokenLinkPageProps) {
  const { phone } = useSite().practice;
  return (
    <NarrowPage heading={title} lead={reason}>
      <PageMeta hasError>{title}</PageMeta>
      <LinkButton variant="primary" href={phoneHref(phone)}>
        Call {phone}
      </LinkButton>
      {newLink && (
        <p>
          <a href={newLink.href}>{newLink.text}</a>
        </p>
      )}
      <p>
        <a href={back.href}>{back.text}</a>
      </p>
    </NarrowPage>
  );
}
