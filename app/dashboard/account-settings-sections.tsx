import type { ReactNode } from "react";
import { CONSENTS_PATH } from "../consents/consent-paths.ts";
import { YOUR_DATA_PATH } from "../data-rights/data-rights-paths.ts";
import { COMPLIANCE_CASES_PATH, formatPhone, PRACTICE_DETAILS_PATH } from "../practice/site-links.ts";
import { LinkButton } from "../ui/button.tsx";
import type { SettingsOverview } from "./account-settings-overview.server.ts";

/** Shows the current settings, one line each, with a link to change it. */
export function SettingsSections({ settings, children }: { settings: SettingsOverview; children: ReactNode }) {
  const { family, isAdmin, deviceCount } = settings;
  return (
    <>
      <SettingsSection title="You">
        <SettingRow name="Name" value={settings.name} to="/dashboard/profile" link="Change" subject="name" />
        <SettingRow
          name="Phone"
          value={settings.phone ? formatPhone(settings.phone) : describePhone(family)}
          to="/dashboard/profile"
          link={settings.phone ? "Change" : "Add"}
          subject="phone"
        />
        <SettingRow
          name="Email"
          value={settings.isEmailUnconfirmed ? `${settings.email}, not confirmed yet` : settings.email}
          href="/change-email"
          link="Change"
          subject="email address"
        />
        <SettingRow name="Account type" value={settings.accountType} />
        {isAdmin && (
          <SettingRow
            name="Public page"
            value="What families read about you"
            to="/consultant-profile"
            link="Change"
            subject="public page"
          />
        )}
        {isAdmin && (
          <SettingRow
            name="Address and tax number"
            value="For invoices, and where families meet you"
            to={PRACTICE_DETAILS_PATH}
            link="Change"
            subject="address and tax number"
          />
        )}
      </SettingsSection>
      <SettingsSection title="Signing in">
        {children}
        <SettingRow
          name="Two-step sign-in"
          value={settings.requiresSecondFactor ? "On" : "Off. Your password alone signs you in."}
          href="/second-factor"
          link={settings.requiresSecondFactor ? "Change" : "Turn on"}
          subject="two-step sign-in"
        />
        <SettingRow
          name="Passkeys"
          value={settings.passkeyCount === 0 ? "None" : String(settings.passkeyCount)}
          href="/passkeys"
          link={settings.passkeyCount === 0 ? "Add" : "Change"}
          subject="passkeys"
        />
        <SettingRow
          name="Signed-in devices"
          value={deviceCount === 1 ? "Only this one" : `${deviceCount}, with this one`}
          to="/dashboard/settings/devices"
          link="View"
          subject="signed-in devices"
        />
      </SettingsSection>
      <SettingsSection title="Mail, calendar and display">
        {family && <SettingRow name="Mail" value={mailText(family)} to="/messages" link="Change" subject="mail" />}
        <SettingRow
          name="Calendar link"
          value={settings.hasCalendarLink ? "On. Visits show in your own calendar." : "Off"}
          to="/dashboard/settings/calendar"
          link={settings.hasCalendarLink ? "Change" : "Turn on"}
          subject="calendar link"
        />
        <SettingRow
          name="Display"
          value={settings.display.join(", ") || "Standard"}
          href="/comfort"
          link="Change"
          subject="display"
        />
      </SettingsSection>
      <SettingsSection title="Privacy">
        {family && (
          <>
            <SettingRow
              name="Agreements"
              value={`${family.signedAgreements} of ${family.agreements} signed`}
              to={CONSENTS_PATH}
              link="View"
              subject="agreements"
            />
            <SettingRow
              name="What we hold about you"
              value="Get a copy, or delete your account"
              to={YOUR_DATA_PATH}
              link="Your data"
            />
          </>
        )}
        <SettingRow
          name="Access log"
          value={family ? "Who opened your child's file" : "Who opened or changed records"}
          to={family ? "/access-log" : "/activity"}
          link="View"
          subject="access log"
        />
        {isAdmin && (
          <SettingRow
            name="System status"
            value="How this site is"
            to="/system-status"
            link="View"
            subject="system status"
          />
        )}
        {isAdmin && (
          <SettingRow
            name="Wording of messages"
            value="What families read in mails"
            to="/mail-wording"
            link="Change"
            subject="wording of messages"
          />
        )}
        {isAdmin && (
          <SettingRow
            name="Legal requests"
            value="About privacy and accessibility"
            to={COMPLIANCE_CASES_PATH}
            link="View"
            subject="requests and incidents"
          />
        )}
      </SettingsSection>
    </>
  );
}

function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul className="rows">{children}</ul>
    </section>
  );
}

type SettingProps = {
  name: string;
  value: string;
  /** A page within the portal. Use `href` for a page that needs a document load. */
  to?: string;
  href?: string;
  link?: string;
  /** What the link is about, for screen reader users who hear it without its row. */
  subject?: string;
};

function SettingRow({ name, value, to, href, link, subject }: SettingProps) {
  // The dashboard's dialogs open above this one.
  const target = to === undefined ? { href: href ?? "" } : { to, preventScrollReset: to.startsWith("/dashboard/") };
  return (
    <li className="row setting">
      <p className="min-w-0 flex-1 basis-36 wrap-anywhere">
        <span className="block text-sm text-muted">{name}</span>
        {value}
      </p>
      {link && (
        <LinkButton {...target} variant="quiet" className="-mr-[min(0.75rem,3vw)]">
          {link}
          {subject && <span className="sr-only"> {subject}</span>}
        </LinkButton>
      )}
    </li>
  );
}

function describePhone(family: SettingsOverview["family"]): string {
  return family?.intakePhone ? `Not given here. Your intake form has ${family.intakePhone}.` : "Not given";
}

function mailText({ hasAllMail, mailTopics }: NonNullable<SettingsOverview["family"]>): string {
  if (hasAllMail) return "Everything";
  return mailTopics.length === 0 ? "Only what you need to know" : mailTopics.join(", ");
}
