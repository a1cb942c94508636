import { Form, redirectDocument } from "react-router";
import { readNamedFormFields } from "../http/form.server.ts";
import { Button } from "../ui/button.tsx";
import type { PageHandle } from "../ui/page-handle.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/display-preferences-page";
import { NarrowPage } from "./narrow-page.tsx";
import { findDisplayPreferences, saveDisplayPreferences } from "./display-preferences.server.ts";
import { DISPLAY_PREFERENCES } from "./display-preferences.ts";
import { getPerson } from "./guards.server.ts";

export const handle: PageHandle = { unhydrated: true };

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const displayPreferences = await findDisplayPreferences(context, request);
  return {
    selected: displayPreferences.split(" "),
    isSaved: url.searchParams.has("saved"),
    hasAccount: getPerson(context) !== null,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  await saveDisplayPreferences(context, (await readNamedFormFields(request, ["comfort"])).getAll("comfort"));
  return redirectDocument("/comfort?saved");
}

/** Page for a person's display preferences. */
export default function DisplayPreferences({ loaderData: { selected, isSaved, hasAccount } }: Route.ComponentProps) {
  return (
    <NarrowPage
      heading="Display settings"
      lead="Choose what makes these pages easier for you. You can change it anytime."
    >
      <PageMeta description="Larger text, calmer colors, no motion: choose what makes these pages easier for you.">
        Display settings
      </PageMeta>
      {isSaved && (
        <p role="status" className="notice">
          Saved. All pages look like this from now on.
        </p>
      )}
      <Form method="post">
        <fieldset className="field">
          <legend className="sr-only">What helps you</legend>
          <div className="grid gap-2">
            {DISPLAY_PREFERENCES.map(({ value, label, hint }) => (
              <label key={value} className="choice">
                <input
                  type="checkbox"
                  name="comfort"
                  value={value}
                  defaultChecked={selected.includes(value)}
                  aria-describedby={`${value}-hint`}
                />
                <span>
                  {label}
                  <span className="hint block" id={`${value}-hint`}>
                    {hint}
                  </span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <Button variant="primary" busyText="Saving…">
          Save my choice
        </Button>
      </Form>
      <p className="text-muted">
        {hasAccount
          ? "We remember it in your account, on every device you sign in on."
          : "We remember it on this device for a year. Once you are signed in, your account remembers it for every device."}
      </p>
      <p>
        <a href={hasAccount ? "/dashboard" : "/"}>{hasAccount ? "Back to the dashboard" : "Back to homepage"}</a>
      </p>
    </NarrowPage>
  );
}
