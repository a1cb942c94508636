import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { TextField } from "../../ui/text-field.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { PasskeyForm, PasskeyScript } from "./passkey-form.tsx";

export const PASSKEYS_PATH = "/passkeys";

type ListedPasskey = { id: number; name: string; createdAt: Date; lastUsedAt: Date | null };

/** Lists the person's passkeys, each with the form that removes it. */
export function PasskeyList({ passkeys, canChange }: { passkeys: ListedPasskey[]; canChange: boolean }) {
  const { timeZone } = useSite().practice;
  if (passkeys.length === 0) return <p>You have no passkeys yet.</p>;
  return (
    <ul className="rows">
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <li key={id} className="row">
          <div className="min-w-0 flex-1 basis-56">
            <p className="wrap-anywhere">
              <strong>{name}</strong>
            </p>
            <p className="text-sm text-muted">
              Added <ZonedTime instant={createdAt} zone={timeZone} inSentence />
            </p>
            <p className="text-sm text-muted">
              {lastUsedAt ? (
                <>
                  Last used <ZonedTime instant={lastUsedAt} zone={timeZone} inSentence />
                </>
              ) : (
                "Not used yet"
              )}
            </p>
          </div>
          {canChange && (
            <details>
              <summary aria-label={`Remove ${name}`}>Remove</summary>
              <form method="post" action={PASSKEYS_PATH}>
                <p>It can no longer sign you in. This can't be undone.</p>
                <input type="hidden" name="step" value="remove" />
                <input type="hidden" name="id" value={id} />
                <Button variant="danger" aria-label={`Remove ${name} for good`}>
                  Remove for good
                </Button>
              </form>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

type NewPasskeyProps = {
  name: AnyField;
  confirmPath: string;
  canChange: boolean;
  isFull: boolean;
  isRequired: boolean;
};

/**
 * The form that adds a passkey. If the last authentication is more than ten minutes old, shows how to repeat it
 * instead; a session restricted to setting up a second factor (`isRequired`) has to sign in again.
 */
export function NewPasskeyForm({ name, confirmPath, canChange, isFull, isRequired }: NewPasskeyProps) {
  if (!canChange && isRequired) {
    return (
      <form method="post" action="/logout">
        <p>You signed in more than ten minutes ago. To add a passkey, please sign in again.</p>
        <Button>Sign out</Button>
      </form>
    );
  }
  if (!canChange) {
    return (
      <p className="actions">
        To change this list, we ask for your password or code once more.{" "}
        <LinkButton href={confirmPath} variant="primary">
          Confirm it’s you
        </LinkButton>
      </p>
    );
  }
  if (isFull) return <p className="notice">There can be no more than ten. Remove one to add another.</p>;
  return (
    <section aria-labelledby="new-passkey" className="grid gap-3">
      <h2 id="new-passkey" className="text-xl">
        Add a passkey
      </h2>
      <p data-without-passkeys>This browser can't add a passkey here. A newer one, with JavaScript turned on, can.</p>
      <PasskeyForm purpose="add" action={PASSKEYS_PATH}>
        <input type="hidden" name="step" value="add" />
        <TextField
          field={name}
          label="Name"
          hint="So that you know which device it is on, such as “Mom’s phone”."
          autoComplete="off"
          maxLength={60}
        />
        <Button variant="primary">Add a passkey</Button>
      </PasskeyForm>
      <PasskeyScript />
    </section>
  );
}
