import { z } from "zod";
import {
  createdOutcome,
  defineEndpoint,
  createEndpointHandlers,
  methodNotAllowedOutcome,
} from "../accounts/define-endpoint.server.ts";
import { recordListRead } from "../audit/record-list-reads.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, refused } from "../http/outcome.ts";
import { messageResponseSchema } from "../http/api-response-schemas.ts";
import { listDocumentsForApi, MAX_LISTED_DOCUMENTS } from "./document-api-list.server.ts";
import { deleteDocument } from "./documents.server.ts";
import { getUploadOutcome } from "./upload/upload-middleware.server.ts";
import { documentListQuerySchema, storedDocumentResponseSchema } from "./api-response-schemas.ts";
import { uploadSchema } from "./document-schemas.ts";
import { isIntakeDocumentId, serveDocument } from "./download/serve-document.server.ts";

const ANY_FILE_RESPONSE = { contentType: "*/*" };
/** Responses of a download: the whole file, or the part that the Range header names. */
const DOWNLOAD_RESPONSES = { 200: ANY_FILE_RESPONSE, 206: ANY_FILE_RESPONSE, 416: messageResponseSchema } as const;
const DOWNLOAD_REFUSALS = ["conflict", "tooMany"] as const;

const apiRouteHandlers = createEndpointHandlers({
  "api/documents": {
    GET: defineEndpoint({
      summary: `The documents you may see, newest first, after a family's intake form: ${MAX_LISTED_DOCUMENTS}, or fewer where their texts are long`,
      query: documentListQuerySchema,
      responses: { 200: z.array(storedDocumentResponseSchema) },
      refusals: ["notFound"],
      access: "signedIn",
      handle: async ({ person, query }) => {
        if (person.isAdmin) await recordListRead();
        return listDocumentsForApi(person, query);
      },
    }),
    POST: defineEndpoint({
      summary: "Upload a document as multipart/form-data",
      form: uploadSchema,
      responses: { 201: storedDocumentResponseSchema },
      refusals: ["notFound", "conflict"],
      access: "signedIn",
      handle: async ({ context }) => {
        const outcome = getUploadOutcome(context);
        if (!outcome) return refused("unsupported", "Send the file as a form (multipart/form-data) to /api/documents.");
        return outcome.ok ? createdOutcome(outcome.value) : outcome;
      },
    }),
  },
  "api/documents/:id": {
    GET: defineEndpoint({
      summary: "A document, to view in the browser where its type is safe",
      responses: DOWNLOAD_RESPONSES,
      refusals: DOWNLOAD_REFUSALS,
      access: "signedIn",
      handle: ({ person, params, request, context }) => serveDocument(person, params.id, "inline", request, context),
    }),
    DELETE: defineEndpoint({
      summary: "Delete a document; a family its own uploads",
      responses: { 200: messageResponseSchema, 405: messageResponseSchema },
      refusals: ["conflict"],
      access: "signedIn",
      handle: async ({ person, params }) => {
        if (isIntakeDocumentId(params.id)) return methodNotAllowedOutcome("GET, HEAD");
        const done = await deleteDocument(person, parseId(params.id));
        return done.ok ? accepted({ message: "Document Deleted" }) : done;
      },
    }),
  },
  "api/documents/:id/download": {
    GET: defineEndpoint({
      summary: "A document, to download",
      responses: DOWNLOAD_RESPONSES,
      refusals: DOWNLOAD_REFUSALS,
      access: "signedIn",
      handle: ({ person, params, request, context }) =>
        serveDocument(person, params.id, "attachment", request, context),
    }),
  },
});

export const loader = apiRouteHandlers.loader;
export const action = apiRouteHandlers.action;
