import { type ReactNode, useEffect, useRef } from "react";
import { passkeyScriptUrl } from "./passkey-script-url.ts";

/** URL of the options with which the browser asks for a passkey. */
const OPTIONS_PATHS = { use: "/api/auth/passkey-options", add: "/api/auth/passkeys/options" } as const;

type PasskeyFormProps = {
  /** `use` answers with a passkey that the person has; `add` creates one. */
  purpose: keyof typeof OPTIONS_PATHS;
  /** Where the answer is sent. */
  action: string;
  children: ReactNode;
};

/** A form that sends a passkey, shown once its script has found that the browser has them: enable-passkey-form.ts. */
export function PasskeyForm({ purpose, action, children }: PasskeyFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    let isShown = true;
    let disable = () => {};
    async function enable() {
      // Without it the page works as where there are no passkeys.
      const loaded = await import("./enable-passkey-form.ts").catch(() => null);
      if (isShown && loaded && form.current) disable = loaded.enablePasskeyForm(form.current);
    }
    void enable();
    return () => {
      isShown = false;
      disable();
    };
  }, []);
  return (
    <form
      ref={form}
      method="post"
      action={action}
      hidden
      data-passkey-form={purpose}
      data-options-path={OPTIONS_PATHS[purpose]}
    >
      <input type="hidden" name="credential" />
      {children}
      <p role="status" className="hint" />
    </form>
  );
}

/** The script of `PasskeyForm` on a page that is not hydrated. */
export function PasskeyScript() {
  return <script src={passkeyScriptUrl} defer />;
}
