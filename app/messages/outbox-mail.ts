import { recordListRead } from "../audit/list-reads.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { findOutboxHtml } from "../mail/message-list.server.ts";
import { mailMode } from "../mail/transport.server.ts";
import type { Route } from "./+types/outbox-mail";
import { mailPage, noSuchMessage } from "./mail-page.server.ts";

/** A mail of the outbox as its HTML, only where mail goes into files. It says what the list of the outbox says, too. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const id = mailMode === "files" && requirePerson(context).isAdmin ? parseId(params.id) : null;
  const html = id === null ? null : await findOutboxHtml(id);
  if (html === null) throw noSuchMessage();
  await recordListRead();
  return mailPage(html);
}
