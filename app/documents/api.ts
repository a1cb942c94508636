import { created, door, doors, methodNotAllowed } from "../accounts/doors.server.ts";
import { parseId } from "../http/fields.ts";
import { accepted, refused } from "../http/outcome.ts";
import { deleteDocument, listDocuments } from "./documents.server.ts";
import { uploadOutcome } from "./receive.server.ts";
import { isIntake, sendDocument } from "./send.server.ts";

const api = doors({
  "api/documents": {
    GET: door({ who: "signedIn", run: async ({ person }) => accepted(await listDocuments(person)) }),
    POST: door({
      who: "signedIn",
      run: async ({ context }) => {
        const outcome = uploadOutcome(context);
        if (!outcome) return refused("unsupported", "Send the file as a form (multipart/form-data) to /api/documents.");
        return outcome.ok ? created(outcome.value) : outcome;
      },
    }),
  },
  "api/documents/:id": {
    GET: door({
      who: "signedIn",
      run: ({ person, params, request, context }) => sendDocument(person, params.id, "inline", request, context),
    }),
    DELETE: door({
      who: "signedIn",
      run: async ({ person, params }) => {
        if (isIntake(params.id)) return methodNotAllowed("GET, HEAD");
        const done = await deleteDocument(person, parseId(params.id));
        return done.ok ? accepted({ message: "Document Deleted" }) : done;
      },
    }),
  },
  "api/documents/:id/download": {
    GET: door({
      who: "signedIn",
      run: ({ person, params, request, context }) => sendDocument(person, params.id, "attachment", request, context),
    }),
  },
});

export const loader = api.loader;
export const action = api.action;
