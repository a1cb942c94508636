import { useContext } from "react";
import { ConsultantByline } from "../../practice/consultant-introduction.tsx";
import { useSite } from "../../practice/site.ts";
import { Button } from "../../ui/button.tsx";
import { formatTimeWithZone } from "../../ui/format-date-time.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { PhoneFallbackCard } from "../phone-fallback.tsx";
import type { CallClient } from "./call.client.ts";
import type { CallInfo, CallState } from "./call-state.ts";
import { ConnectionTest } from "./connection-test.tsx";
import { CameraMicrophoneButtons } from "./camera-microphone-buttons.tsx";
import { DeviceSelects } from "./device-selects.tsx";
import { MicrophoneMeter } from "./microphone-meter.tsx";
import { SelfPreview } from "./self-preview.tsx";
import { DeviceProblem } from "./device-problem.tsx";
import { WaitingRoomFamiliesContext } from "../waiting-room-families-context.ts";
import { BriefingCard } from "../visit-briefing.tsx";
import { VisitHeader } from "../visit-header.tsx";

type WaitingRoomProps = { call: CallClient; state: CallState; callInfo: CallInfo };

/** Shows the waiting room, with a preview of the person's own camera and microphone before joining. */
export function WaitingRoom({ call, state, callInfo }: WaitingRoomProps) {
  const isFamilyWaiting = useContext(WaitingRoomFamiliesContext).some(({ id }) => id === callInfo.id);
  const { media, localStream } = state;
  return (
    <>
      <PageMeta>Waiting Room</PageMeta>
      <h1>Waiting Room</h1>
      <VisitHeader callInfo={callInfo} />
      <div className="waiting">
        <div role="group" className="waiting-preview" aria-label="Your picture">
          <SelfPreview stream={localStream} media={media} />
        </div>
        <div role="region" className="waiting-join" aria-label="Join">
          <Button variant="primary" type="button" onClick={() => call.join()}>
            Join Room
          </Button>
          <p role="status" className="notice">
            {formatWaitingRoomStatus(state, callInfo, isFamilyWaiting)}
          </p>
          <p className="hint">{joinModeText(media)}Nothing is sent before you press Join Room.</p>
        </div>
        <div role="group" className="waiting-devices" aria-labelledby="devices">
          <h2 id="devices" className="text-xl">
            Check your camera and sound
          </h2>
          <div className="call-controls">
            <CameraMicrophoneButtons call={call} media={media} />
          </div>
          <DeviceProblem media={media} canReload />
          <MicrophoneMeter track={media.microphone === "on" ? call.media.audio : null} />
          <DeviceSelects call={call} media={media} />
        </div>
        <div className="waiting-help">
          {callInfo.role === "client" && <ConsultantByline />}
          {callInfo.briefing && <BriefingCard briefing={callInfo.briefing} />}
          <ConnectionTest callInfo={callInfo} isOnline={state.isOnline} />
          {callInfo.role === "client" && <LateArrivalCard closesAt={callInfo.closesAt} />}
          <PhoneFallbackCard callInfo={callInfo} when="If nothing works," />
        </div>
      </div>
    </>
  );
}

/** Shows until when a late family can join. */
function LateArrivalCard({ closesAt }: { closesAt: string }) {
  const { timeZone } = useSite().practice;
  return (
    <div className="card">
      <h2 className="text-xl">Running late?</h2>
      <p>Come when you can. This room stays open until {formatTimeWithZone(closesAt, timeZone)}.</p>
    </div>
  );
}

/** `isFamilyWaiting`: the family has opened the visit's page, and the consultant has not joined. */
function formatWaitingRoomStatus(
  { isOnline, isOtherPresent, errorText }: CallState,
  { role, otherParticipantName }: CallInfo,
  isFamilyWaiting: boolean,
): string {
  if (errorText) return errorText;
  if (!isOnline) return "Connecting…";
  if (isOtherPresent) return `${otherParticipantName} is in the room.`;
  if (role === "client") return `${otherParticipantName} can see that you are waiting.`;
  return isFamilyWaiting ? `${otherParticipantName} is waiting for you.` : `${otherParticipantName} is not here yet.`;
}

/** Returns how the person would join, followed by a space; empty until camera and microphone have responded. */
function joinModeText({ camera, microphone }: CallState["media"]): string {
  if (camera === "requesting" || microphone === "requesting") return "";
  if (camera === "on" && microphone === "on") return "You'll join with video and sound. ";
  if (camera === "on") return "You'll join with video and no sound. ";
  if (microphone === "on") return "You'll join with sound only. ";
  return "You'll join with text chat only. You can still see and hear the other person. ";
}
