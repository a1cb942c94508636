import { createdOutcome, endpoint, endpoints, methodNotAllowedOutcome } from "../accounts/api-endpoints.server.ts";
import { recordListRead } from "../audit/list-reads.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, refused } from "../http/outcome.ts";
import { deleteDocument, listDocuments } from "./documents.server.ts";
import { uploadOutcome } from "./upload/upload-middleware.server.ts";
import { isIntakeDocumentId, documentResponse } from "./download/download.server.ts";

const api = endpoints({
  "api/documents": {
    GET: endpoint({
      access: "signedIn",
      handle: async ({ person }) => {
        if (person.isAdmin) await recordListRead();
        return accepted(await listDocuments(person));
      },
    }),
    POST: endpoint({
      access: "signedIn",
      handle: async ({ context }) => {
        const outcome = uploadOutcome(context);
        if (!outcome) return refused("unsupported", "Send the file as a form (multipart/form-data) to /api/documents.");
        return outcome.ok ? createdOutcome(outcome.value) : outcome;
      },
    }),
  },
  "api/documents/:id": {
    GET: endpoint({
      access: "signedIn",
      handle: ({ person, params, request, context }) => documentResponse(person, params.id, "inline", request, context),
    }),
    DELETE: endpoint({
      access: "signedIn",
      handle: async ({ person, params }) => {
        if (isIntakeDocumentId(params.id)) return methodNotAllowedOutcome("GET, HEAD");
        const done = await deleteDocument(person, parseId(params.id));
        return done.ok ? accepted({ message: "Document Deleted" }) : done;
      },
    }),
  },
  "api/documents/:id/download": {
    GET: endpoint({
      access: "signedIn",
      handle: ({ person, params, request, context }) =>
        documentResponse(person, params.id, "attachment", request, context),
    }),
  },
});

export const loader = api.loader;
export const action = api.action;
