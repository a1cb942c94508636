import { type ReactNode, useEffect, useRef } from "react";
import { passkeyScriptUrl } from "./passkey-script-url.ts";

/** URLs of the options with which the browser asks for a passkey. */
const OPTIONS_PATHS = { use: "/api/auth/passkey-options", add: "/api/auth/passkeys/options" } as const;

type PasskeyFormProps = {
  /** `use` responds with a passkey that the person already has; `add` creates one. */
  purpose: keyof typeof OPTIONS_PATHS;
  /** URL to which the response is posted. */
  action: string;
  children: ReactNode;
};

/**
 * A form that sends a passkey. It is shown once its script has detected that the browser supports passkeys
 * (enable-passkey-form.ts).
 */
export function PasskeyForm({ purpose, action, children }: PasskeyFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    let isMounted = true;
    let disable = () => {};
    async function enable() {
      // Without the script, the page works as in a browser without passkeys.
      const scriptModule = await import("./enable-passkey-form.ts").catch(() => null);
      if (isMounted && scriptModule && form.current) disable = scriptModule.enablePasskeyForm(form.current);
    }
    void enable();
    return () => {
      isMounted = false;
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

/** Loads the script of `PasskeyForm` on a page that is not hydrated. */
export function PasskeyScript() {
  return <script src={passkeyScriptUrl} defer />;
}
