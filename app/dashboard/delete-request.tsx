import { useLocation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { fullName } from "../accounts/person.ts";
import { redirectWithFlash } from "../accounts/session.server.ts";
import { findOpenRequest, removeRequest } from "../consultations/requests.server.ts";
import { parseId } from "../http/fields.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/delete-request";
import { dashboardAddress } from "./filters.ts";
import { notFound } from "./not-found.ts";

const TITLE = "Delete this consultation request?";

export async function loader({ context, params }: Route.LoaderArgs) {
  const request = await findOpenRequest(requirePerson(context), parseId(params.id));
  if (!request) throw notFound("There is no such consultation request.");
  return { name: fullName(request), needs: request.serviceNeeds };
}

export async function action({ context, params, url }: Route.ActionArgs) {
  const done = await removeRequest(requirePerson(context), params.id);
  const back = dashboardAddress(url.search);
  if (done.ok) return redirectWithFlash(context, back, { title: "Consultation Request Deleted" });
  return redirectWithFlash(context, back, {
    title: "Delete Failed",
    description: `Failed to delete consultation request. Please try again. ${done.message}`,
    style: "destructive",
  });
}

export default function DeleteRequest({ loaderData: { name, needs } }: Route.ComponentProps) {
  const { search } = useLocation();
  return (
    <>
      <PageTitle>{`${TITLE} ${name}`}</PageTitle>
      <ConfirmDialog
        title={TITLE}
        subject={name}
        details={<span className="line-clamp-6">{needs}</span>}
        consequence="This action cannot be undone. The person who asked is not told."
        confirmText="Delete request"
        busyText="Deleting…"
        cancelText="Keep request"
        closeTo={dashboardAddress(search)}
      />
    </>
  );
}
