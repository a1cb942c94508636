import { z } from "zod";

export const errorResponseSchema = z
  .object({
    message: z.string().meta({ description: "A sentence for a person" }),
    errors: z.record(z.string(), z.array(z.string())).optional().meta({ description: "The sentences of each field" }),
  })
  .meta({ id: "Error" });

/** The meaning of each status, with its name in the API description. */
export const ERROR_RESPONSES: readonly { status: number; name: string; description: string }[] = [
  { status: 400, name: "Malformed", description: "The path, the query or the JSON can't be read" },
  { status: 401, name: "Unauthorized", description: "Nobody is signed in, or the password is wrong" },
  { status: 402, name: "Declined", description: "The card was declined" },
  { status: 403, name: "Forbidden", description: "Not for this person, or from another origin" },
  { status: 404, name: "NotFound", description: "Unknown, or not yours" },
  { status: 405, name: "MethodNotAllowed", description: "This record does not have that method" },
  { status: 409, name: "Conflict", description: "Taken, or already done" },
  { status: 410, name: "Gone", description: "The link was used, or is too old" },
  { status: 413, name: "TooLarge", description: "More than this call takes" },
  { status: 414, name: "PathTooLong", description: "The address is too long" },
  { status: 415, name: "Unsupported", description: "Another type of body or file is needed" },
  { status: 416, name: "NoSuchRange", description: "The document does not have that part" },
  { status: 421, name: "OtherHost", description: "This site has another address" },
  { status: 422, name: "Invalid", description: "A field is not valid" },
  { status: 429, name: "TooMany", description: "Too many calls; see Retry-After" },
  { status: 500, name: "Failed", description: "Something went wrong here" },
  { status: 501, name: "OtherCoding", description: "The body has another transfer coding than chunks" },
  { status: 502, name: "ProviderFailed", description: "The card provider failed" },
  { status: 503, name: "Unavailable", description: "Not possible just now; see Retry-After" },
  { status: 504, name: "ProviderTimeout", description: "The card provider did not answer in time" },
  { status: 507, name: "StorageFull", description: "The storage is full" },
];

export function errorResponseName(status: number): string {
  const errorResponse = ERROR_RESPONSES.find((each) => each.status === status);
  if (!errorResponse) throw new Error(`No refusal is described for status ${status}.`);
  return errorResponse.name;
}
