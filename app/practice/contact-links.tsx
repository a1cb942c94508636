import { formatPhone, phoneLink } from "./site-links.ts";

/** Calls a number, which is shown as it is written in the US. `className` for what a list of links needs. */
export function PhoneLink({ phone, className = "link-target" }: { phone: string; className?: string }) {
  return (
    <a href={phoneLink(phone)} className={className}>
      {formatPhone(phone)}
    </a>
  );
}

/** Writes to an address. */
export function EmailLink({ email, className = "link-target" }: { email: string; className?: string }) {
  return (
    <a href={`mailto:${encodeURIComponent(email)}`} className={`${className} min-w-0 wrap-anywhere`}>
      {email}
    </a>
  );
}
