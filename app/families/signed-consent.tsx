import { requirePerson } from "../accounts/guards.server.ts";
import { findConsentSignature } from "../consents/consents.server.ts";
import { formatSignedConsent } from "../consents/format-signed-consent.server.ts";
import { SignedTextWithSignature } from "../consents/signed-text.tsx";
import { parseId } from "../http/field-schemas.ts";
import { Button } from "../ui/button.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import "../ui/styles/print.css";
import type { Route } from "./+types/signed-consent";
import { findFamilyAccountWithAudit } from "./family-account.server.ts";

const notFoundResponse = ({ message }: { message: string }) =>
  new Response(message, { status: 404, statusText: "Not Found" });

export async function loader({ context, params }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const account = await findFamilyAccountWithAudit(person, params.id);
  if (!account.ok) throw notFoundResponse(account);
  const signature = await findConsentSignature(person, account.value.id, parseId(params.consent));
  if (!signature.ok) throw notFoundResponse(signature);
  return formatSignedConsent(signature.value);
}

/** Shows the consultant what a family signed, in the words of that day, to read and to print. */
export default function SignedConsent({ loaderData: signed, params }: Route.ComponentProps) {
  return (
    <RouteDialog title={signed.title} closeTo={`/families/${params.id}`}>
      <PageMeta>{signed.title}</PageMeta>
      <div data-print className="grid gap-4">
        <SignedTextWithSignature signed={signed} />
      </div>
      <Button type="button" className="scripted" onClick={() => window.print()}>
        Print
      </Button>
    </RouteDialog>
  );
}
