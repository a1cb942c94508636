import { z } from "zod";
import { requiredId, requiredSingleLine, stringSchemaWithMessages } from "../../http/field-schemas.ts";

const MAX_NAME_LENGTH = 60;
/** Maximum length of the JSON text. The text of a device without attestation has fewer than 2,000 characters. */
const MAX_CREDENTIAL_LENGTH = 12_000;
/** Maximum length of a credential id in base64url: 1,023 bytes, the longest that the standard allows. */
const MAX_CREDENTIAL_ID_LENGTH = 1364;
const MAX_RESPONSE_FIELD_LENGTH = 8000;
const MAX_TRANSPORTS = 10;
const MAX_TRANSPORT_LENGTH = 30;

const MISSING_PASSKEY_MESSAGE = "Your browser sent no passkey. Please try again.";
const UNREADABLE_PASSKEY_MESSAGE = "Your browser sent a passkey that we can't read. Please try again.";

const base64urlSchema = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/);
const credentialFields = {
  id: base64urlSchema(MAX_CREDENTIAL_ID_LENGTH),
  rawId: base64urlSchema(MAX_CREDENTIAL_ID_LENGTH),
  type: z.literal("public-key"),
};

const assertionCredentialSchema = z.object({
  ...credentialFields,
  response: z.object({
    authenticatorData: base64urlSchema(MAX_RESPONSE_FIELD_LENGTH),
    clientDataJSON: base64urlSchema(MAX_RESPONSE_FIELD_LENGTH),
    signature: base64urlSchema(MAX_RESPONSE_FIELD_LENGTH),
    userHandle: base64urlSchema(MAX_RESPONSE_FIELD_LENGTH).nullish(),
  }),
});

const registrationCredentialSchema = z.object({
  ...credentialFields,
  response: z.object({
    attestationObject: base64urlSchema(MAX_RESPONSE_FIELD_LENGTH),
    clientDataJSON: base64urlSchema(MAX_RESPONSE_FIELD_LENGTH),
    transports: z.array(z.string().max(MAX_TRANSPORT_LENGTH)).max(MAX_TRANSPORTS).nullish(),
  }),
});

/** Builds the schema of a form field that holds a credential as JSON text, as the browser's `toJSON()` returns it. */
function credentialTextSchema<S extends z.ZodType>(credentialSchema: S) {
  return stringSchemaWithMessages(MISSING_PASSKEY_MESSAGE, UNREADABLE_PASSKEY_MESSAGE).transform(
    (text, context): z.output<S> => {
      const parsed = text.length <= MAX_CREDENTIAL_LENGTH ? credentialSchema.safeParse(parseJson(text)) : null;
      if (parsed?.success) return parsed.data;
      context.addIssue({ code: "custom", message: UNREADABLE_PASSKEY_MESSAGE });
      return z.NEVER;
    },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A passkey's response to a challenge. */
export const assertionSchema = z.object({
  credential: credentialTextSchema(assertionCredentialSchema),
  sharedDevice: z.boolean("Shared device must be true or false.").nullish(),
});
export const passkeyReauthenticationSchema = assertionSchema.pick({ credential: true });
export const newPasskeySchema = z.object({
  name: requiredSingleLine("The name", MAX_NAME_LENGTH, "Enter a name for this passkey."),
  credential: credentialTextSchema(registrationCredentialSchema),
});
export const passkeyIdSchema = z.object({ id: requiredId("Choose a passkey.") });

export type AssertionCredential = z.output<typeof assertionCredentialSchema>;
export type RegistrationCredential = z.output<typeof registrationCredentialSchema>;
export type NewPasskeyValues = { name: string; credential: string };
