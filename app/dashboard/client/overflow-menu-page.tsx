import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { UnreadCount, useUnreadCounts } from "../../accounts/portal-nav.tsx";
import { Button } from "../../ui/button.tsx";
import {
  CalendarIcon,
  EyeIcon,
  FormIcon,
  HomeIcon,
  LogoutIcon,
  MailIcon,
  MoneyIcon,
  PersonIcon,
} from "../../ui/icons.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";

const MORE_LINKS = [
  { to: "/messages", label: "Messages", text: "What we have written to you", Icon: MailIcon, counts: "messages" },
  { to: "/receipts", label: "Receipts", text: "What you paid, and what is still due", Icon: MoneyIcon },
  { to: "/dashboard/settings", label: "Settings", text: "Your name, phone, password and privacy", Icon: PersonIcon },
  { to: "/consents", label: "Agreements", text: "Forms you've signed or can sign", Icon: FormIcon },
  { to: "/appointments/waiting-list", label: "Waiting list", text: "For days that are full", Icon: CalendarIcon },
  { to: "/access-log", label: "Access log", text: "Who opened your child's file", Icon: EyeIcon },
  { to: "/", label: "Home", text: "Back to the public website", Icon: HomeIcon, isDocument: true },
] as const;

/** Lists the pages that do not fit in the navigation on a phone. */
export default function OverflowMenuPage() {
  const unread = useUnreadCounts();
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>More</PageMeta>
      <h1>More</h1>
      <ul className="card more-links">
        {MORE_LINKS.map(({ to, label, text, Icon, ...link }) => (
          <li key={to}>
            <Link to={to} reloadDocument={"isDocument" in link} className="more-link">
              <Icon />
              <MoreText label={label} text={text}>
                {"counts" in link && <UnreadCount count={unread?.[link.counts] ?? 0} kind={link.counts} />}
              </MoreText>
            </Link>
          </li>
        ))}
      </ul>
      <Form method="post" action="/logout" reloadDocument>
        <Button className="max-sm:w-full">
          <LogoutIcon /> Logout
        </Button>
      </Form>
    </main>
  );
}

function MoreText({ label, text, children }: { label: string; text: string; children: ReactNode }) {
  return (
    <span className="min-w-0">
      <span className="block font-bold text-ink">
        {label}
        {children}
      </span>
      <span className="block text-sm text-muted">{text}</span>
    </span>
  );
}
