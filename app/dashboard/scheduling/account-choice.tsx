import type { PossibleAccount } from "../../consultation-requests/request-account-matches.server.ts";
import { EmailLink } from "../../practice/contact-links.tsx";
import { useSite } from "../../practice/site.ts";
import { RadioField } from "../../ui/choice-fields.tsx";
import { formatLongDate } from "../../ui/format-date-time.ts";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";

type AccountChoiceProps = {
  field: AnyField;
  /** The account that was signed in when the request was sent, or that confirmed the request's address later. */
  account: { name: string; email: string } | null;
  accounts: readonly PossibleAccount[];
};

const NO_ACCOUNT_OPTION = {
  value: "",
  label: "No account",
  hint: "Only you see the visit. Afterwards you can make a link with which the family adds it to its account.",
};

/** Selects the account that gets the visit. No account is preselected, because an address or a name proves nothing. */
export function AccountChoice({ field, account, accounts }: AccountChoiceProps) {
  const { timeZone } = useSite().practice;
  if (account) {
    return (
      <p className="wrap-anywhere">
        The visit goes to the account of {account.name} (<EmailLink email={account.email} />
        ): it sent this request signed in, or has confirmed this address since. Call the number in the account, not one
        that only this request has.
      </p>
    );
  }
  if (accounts.length === 0) {
    return <p>No account has this email address or name, so they have no account yet. {NO_ACCOUNT_OPTION.hint}</p>;
  }
  const options = accounts.map((each) => ({
    value: String(each.id),
    label: `${each.name}, ${each.email}`,
    hint: describeAccount(each, timeZone),
  }));
  return (
    <RadioField
      field={field}
      legend="Whose account is it for?"
      hint="Nobody was signed in when this was sent. Anyone can register with another person's email address or name: choose an account only when you are sure."
      optional
      options={[NO_ACCOUNT_OPTION, ...options]}
    />
  );
}

function describeAccount(
  { hasSameEmail, hasSameName, registeredAt, isYoungerThanRequest, visits }: PossibleAccount,
  zone: string,
) {
  const same = [hasSameEmail && "email address", hasSameName && "name"].filter(Boolean).join(" and ");
  const creationText = `Account made on ${formatLongDate(new Date(registeredAt), zone)}${isYoungerThanRequest ? ", after this request" : ""}`;
  const past = visits === 0 ? "no visits yet" : formatCountWithNoun(visits, "visit");
  return `Same ${same}. ${creationText}; ${past}.`;
}
