import type { ReactNode } from "react";
import { LinkButton } from "../ui/button.tsx";
import { CalendarIcon, MailIcon, TrashIcon } from "../ui/icons.tsx";
import { showToast } from "../ui/toast.ts";
import type { RequestRow } from "./request-rows.ts";

type RequestActionsProps = {
  request: RequestRow;
  /** The list's query string, including the question mark, for links to dialogs. */
  query?: string;
  isOpen?: boolean;
};

/** Shows the actions on a request. A scheduled request can only be replied to. */
export function RequestActions({ request, query = "", isOpen = true }: RequestActionsProps) {
  const { id, name } = request;
  return (
    <>
      <ReplyToRequestButton request={request}>
        <MailIcon /> Contact Client
      </ReplyToRequestButton>
      {isOpen && (
        <>
          <LinkButton to={`/dashboard/requests/${id}/schedule${query}`} preventScrollReset>
            <CalendarIcon /> Schedule Consultation<span className="sr-only"> with {name}</span>
          </LinkButton>
          <LinkButton to={`/dashboard/requests/${id}/delete${query}`} preventScrollReset variant="quiet">
            <TrashIcon /> Delete<span className="sr-only"> the request of {name}</span>
          </LinkButton>
        </>
      )}
    </>
  );
}

/** Opens a letter to the sender in the mail program. Renders nothing for a request without an email address. */
export function ReplyToRequestButton({ request, children }: { request: RequestRow; children: ReactNode }) {
  const { name, email, mailtoUrl } = request;
  if (!mailtoUrl) return null;
  return (
    <LinkButton
      href={mailtoUrl}
      onClick={() =>
        showToast({
          title: "Email Client Opened",
          description: `A letter to ${name} (${email}) is ready to write.`,
        })
      }
    >
      {children}
      <span className="sr-only">: {name}</span>
    </LinkButton>
  );
}
