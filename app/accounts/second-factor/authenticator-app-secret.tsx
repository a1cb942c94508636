import type { FactorSetup } from "./second-factor.server.ts";

type SetupKeyProps = { setup: FactorSetup & { qr: { size: number; path: string } } };

/** Shows the secret for an authenticator app: as a QR code, a link and text. */
export function AuthenticatorAppSecret({ setup: { secret, uri, qr } }: SetupKeyProps) {
  return (
    <section aria-labelledby="app-title" className="grid gap-3">
      <h2 id="app-title" className="text-xl">
        Add this account to your app
      </h2>
      <p>
        Use any authenticator app, such as Google Authenticator, Microsoft Authenticator or Apple Passwords. Point it at
        this picture:
      </p>
      <svg
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        width={232}
        height={232}
        role="img"
        aria-label="QR code with the set-up key below"
        shapeRendering="crispEdges"
        className="max-w-full rounded-md"
      >
        <rect width={qr.size} height={qr.size} fill="#fff" />
        <path d={qr.path} fill="#000" />
      </svg>
      <p>
        On this same phone? <a href={uri}>Open your app</a>. Or type this set-up key into it:
      </p>
      <p>
        <code className="wrap-anywhere">{secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
      </p>
    </section>
  );
}
