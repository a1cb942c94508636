import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { fieldNames, type FormSubmission, parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { parseKnownDeviceCookie } from "../known-device.server.ts";
import { verifySignIn } from "./sign-in.server.ts";
import { signInSchema } from "../account-schemas.ts";

const CLIENT_IP_HEADER = "visitor-address";

type SignInAttempt = {
  submission: FormSubmission<typeof signInSchema>;
  outcome: Awaited<ReturnType<typeof verifySignIn>> | null;
};

const authenticator = new Authenticator<SignInAttempt>().use(
  new FormStrategy(async ({ form, request }) => {
    const submission = parseForm(form, signInSchema);
    if (submission.status !== "success") return { submission, outcome: null };
    const device = await parseKnownDeviceCookie(request.headers.get("cookie"));
    const ip = request.headers.get(CLIENT_IP_HEADER) ?? "";
    return { submission, outcome: await verifySignIn(submission.value, { ip, device }) };
  }),
  "form",
);

/** Signs in with a posted form. `outcome` is null when the fields are invalid. */
export async function verifySignInForm(request: Request, ip: string): Promise<SignInAttempt> {
  // Reads the body first, because the strategy itself would read bodies of any size.
  const body = await readNamedFormFields(request, fieldNames(signInSchema));
  const headers = { [CLIENT_IP_HEADER]: ip, Cookie: request.headers.get("cookie") ?? "" };
  return authenticator.authenticate("form", new Request(request.url, { method: "POST", body, headers }));
}
