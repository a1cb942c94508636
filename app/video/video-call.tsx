import { data, redirectDocument } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { findFamilyPhone } from "../booking/find-family-phone.server.ts";
import { now } from "../clock.ts";
import { parseId } from "../http/field-schemas.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import type { PageHandle } from "../ui/page-handle.ts";
import type { Route } from "./+types/video-call";
import "./call/call.css";
import { CallPage } from "./call/call-page.tsx";
import { loadAndEvaluateCallAccess } from "./call-access.server.ts";
import { ClosedRoom, RoomNotFound } from "./closed-room.tsx";
import { findVisitBriefingWithAudit } from "./visit-briefing.server.ts";
import { relayUrls, stunServers } from "./ice-servers.server.ts";

/** Marks this page as the only one with permission to use camera and microphone. */
export const handle: PageHandle = { videoCall: true };

/** Turns revalidation off: the call client updates its own state, so reloading the page's data would change nothing. */
export const shouldRevalidate = () => false;

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  // A client-side navigation would keep the permissions policy of the previous page, which has no camera. Load a
  // document.
  if (new URL(request.url).pathname.endsWith(".data")) throw redirectDocument(url.pathname);
  const person = requirePerson(context);
  const access = await loadAndEvaluateCallAccess(person, parseId(params.appointmentId));
  if (!access.ok && access.reason === "not-found") return data({ kind: "missing" as const }, HTTP_STATUS.notFound);
  const { id, title, role, familyId, otherParticipantName, startsAt, opensAt, endsAt, closesAt } = access.visit;
  const callInfo = {
    id,
    title,
    role,
    otherParticipantName,
    familyPhone: await findFamilyPhone(person, familyId),
    briefing: await findVisitBriefingWithAudit(person, { id, familyId }),
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    closesAt: closesAt.toISOString(),
    serverTime: now().toISOString(),
  };
  if (!access.ok) return { kind: "closed" as const, reason: access.reason, opensAt: opensAt.toISOString(), callInfo };
  return { kind: "open" as const, callInfo: { ...callInfo, iceServers: stunServers(), relayUrls: relayUrls() } };
}

export default function VideoCall({ loaderData }: Route.ComponentProps) {
  if (loaderData.kind === "missing") return <RoomNotFound />;
  if (loaderData.kind === "closed") return <ClosedRoom {...loaderData} />;
  return <CallPage callInfo={loaderData.callInfo} />;
}
