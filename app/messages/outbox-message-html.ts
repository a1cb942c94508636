import { requirePerson } from "../accounts/guards.server.ts";
import { recordAuditRead } from "../audit/record-audit.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { renderOutboxMessage } from "../mail/message-list.server.ts";
import { mailMode } from "../mail/mail-transport.server.ts";
import type { Route } from "./+types/outbox-message-html";
import { emailHtmlResponse, messageNotFoundResponse } from "./email-html-response.server.ts";

/** Returns a message of the outbox as its HTML, only if mail is written to files. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const id = mailMode === "files" && requirePerson(context).isAdmin ? parseId(params.id) : null;
  const mail = id === null ? null : await renderOutboxMessage(id);
  if (id === null || mail === null) throw messageNotFoundResponse();
  await recordAuditRead({ action: "message-opened", familyId: mail.familyId, objectId: id });
  return emailHtmlResponse(mail.html);
}
