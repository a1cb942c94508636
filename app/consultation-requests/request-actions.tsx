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
  const { id, name, email, mailtoUrl } = request;
  return (
    <>
      {mailtoUrl && (
        <LinkButton
          href={mailtoUrl}
          onClick={() =>
            showToast({
              title: "Email Client Opened",
              description: `A letter to ${name} (${email}) is ready to be written.`,
            })
          }
        >
          <MailIcon /> Contact Client<span className="sr-only">: {name}</span>
        </LinkButton>
      )}
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
