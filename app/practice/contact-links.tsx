import { formatPhone, phoneHref } from "./site-links.ts";

/** A link that calls a number, shown in US format. `className` adapts it to a list of links. */
export function PhoneLink({ phone, className = "link-target" }: { phone: string; className?: string }) {
  return (
    <a href={phoneHref(phone)} className={className}>
      {formatPhone(phone)}
    </a>
  );
}

/** A link that writes an email to an address. */
export function EmailLink({ email, className = "link-target" }: { email: string; className?: string }) {
  return (
    <a href={`mailto:${encodeURIComponent(email)}`} className={`${className} min-w-0 wrap-anywhere`}>
      {email}
    </a>
  );
}
