import { RECENTLY_ADDED_ACCESS_DAYS } from "../accounts/recently-added-access-days.ts";
import { findOwnAccount } from "../accounts/account.server.ts";
import { DISPLAY_PREFERENCES } from "../accounts/display-preferences.ts";
import { listPasskeys } from "../accounts/passkeys/passkeys.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { requiresSecondFactor } from "../accounts/second-factor/second-factor.server.ts";
import { listSignedInDevices } from "../accounts/sessions/signed-in-devices.server.ts";
import type { Session } from "../accounts/sessions/session-store.server.ts";
import { findCalendarFeed } from "../booking/feed/calendar-feed.server.ts";
import { now } from "../clock.ts";
import { consentStates, listConsentSignatures } from "../consents/consents.server.ts";
import { DAY_MS } from "../time-units.ts";
import { findIntakePhone } from "../intake/intake-forms.server.ts";
import { MAIL_TOPICS, topicsForPerson } from "../mail/mail-events.ts";
import { listOptOuts } from "../mail/preferences.server.ts";
import { mailMode } from "../mail/mail-transport.server.ts";

export type SettingsOverview = Awaited<ReturnType<typeof loadAccountSettingsOverview>>;

/** Returns a person's settings, each in a few words, for the settings dialog. */
export async function loadAccountSettingsOverview(person: Person, session: Session) {
  const [account, isFactorRequired, passkeys, devices, feed, family] = await Promise.all([
    findOwnAccount(person),
    requiresSecondFactor(person.id),
    listPasskeys(person),
    listSignedInDevices(person, session.sid),
    findCalendarFeed(person),
    person.isAdmin ? null : familySettings(person),
  ]);
  const { email, phone, isAdmin } = account;
  const isRecentlyAdded = ({ createdAt }: { createdAt: Date }) =>
    createdAt.getTime() >= now().getTime() - RECENTLY_ADDED_ACCESS_DAYS * DAY_MS;
  const display = DISPLAY_PREFERENCES.filter(({ value }) => session.displayPreferences?.split(" ").includes(value));
  return {
    email,
    isEmailUnconfirmed: !isAdmin && mailMode !== "none" && session.emailConfirmedAt === null,
    name: fullName(account),
    phone,
    isAdmin,
    accountType: isAdmin ? "Administrator" : "Client",
    requiresSecondFactor: isFactorRequired,
    passkeyCount: passkeys.length,
    deviceCount: devices.length,
    hasCalendarLink: feed !== null,
    /** Access that a password change ends unless the person keeps it. */
    recentAccess: {
      days: RECENTLY_ADDED_ACCESS_DAYS,
      passkeys: passkeys.filter(isRecentlyAdded).map(({ name }) => name),
      hasCalendarLink: feed !== null && isRecentlyAdded(feed),
    },
    display: display.map(({ label }) => label),
    family,
  };
}

async function familySettings(person: Person) {
  const [optOuts, consents, intakePhone] = await Promise.all([
    listOptOuts(person.id),
    listConsentSignatures(person, person.id),
    person.phone === null ? findIntakePhone(person) : null,
  ]);
  const enabledTopics = topicsForPerson(person).filter((topic) => !optOuts.includes(topic));
  const agreements = consentStates(consents);
  return {
    /** The phone number from the intake form, if the account has none. */
    intakePhone,
    mailTopics: enabledTopics.map((topic) => MAIL_TOPICS[topic]),
    hasAllMail: optOuts.length === 0,
    agreements: agreements.length,
    signedAgreements: agreements.filter(({ signed }) => signed !== null).length,
  };
}
