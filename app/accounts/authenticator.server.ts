import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { fieldNames, type FormSubmission, parseForm, readFields } from "../http/form.server.ts";
import { signIn } from "./people.server.ts";
import { signInShape } from "./shapes.ts";

const ADDRESS = "visitor-address";

type SignIn = { submission: FormSubmission<typeof signInShape>; outcome: Awaited<ReturnType<typeof signIn>> | null };

const authenticator = new Authenticator<SignIn>().use(
  new FormStrategy(async ({ form, request }) => {
    const submission = parseForm(form, signInShape);
    if (submission.status !== "success") return { submission, outcome: null };
    return { submission, outcome: await signIn(submission.value, request.headers.get(ADDRESS) ?? "") };
  }),
  "form",
);

/** Signs in from a posted form. `outcome` is null when the fields themselves need mending. */
export async function authenticateForm(request: Request, address: string): Promise<SignIn> {
  // The strategy would read a body of any size, so it is handed one that was read with our limit.
  const body = await readFields(request, fieldNames(signInShape));
  return authenticator.authenticate(
    "form",
    new Request(request.url, { method: "POST", body, headers: { [ADDRESS]: address } }),
  );
}
