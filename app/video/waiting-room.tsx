import { useContext } from "react";
import { useSite } from "../practice/site.ts";
import { Button } from "../ui/button.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { When } from "../ui/when.tsx";
import { ByPhone } from "./by-phone.tsx";
import type { Call } from "./call.client.ts";
import type { CallFacts, CallState } from "./call-state.ts";
import { ConnectionTest } from "./connection-test.tsx";
import { DeviceControls } from "./controls.tsx";
import { DeviceChoice } from "./device-choice.tsx";
import { MicrophoneMeter } from "./microphone-meter.tsx";
import { Pane } from "./picture.tsx";
import { Refused } from "./refused.tsx";
import { WaitingVisits } from "./waiting-visits.ts";

type WaitingRoomProps = { call: Call; state: CallState; facts: CallFacts };

/** Look at yourself, hear that you can be heard, then go in. */
export function WaitingRoom({ call, state, facts }: WaitingRoomProps) {
  const { timeZone } = useSite().practice;
  const isAwaited = useContext(WaitingVisits).includes(facts.id);
  const { media, ownPicture } = state;
  return (
    <>
      <PageTitle>Waiting Room</PageTitle>
      <h1>Waiting Room</h1>
      <p>
        <strong className="wrap-anywhere">{facts.title}</strong> with {facts.otherName}
        <br />
        <When instant={facts.startsAt} zone={timeZone} />
      </p>
      <div className="waiting">
        <section className="waiting-look" aria-label="Camera and microphone">
          <Pane
            label="You"
            stream={ownPicture}
            isOwn
            isMirrored={media.isMirrored}
            overlay={ownPicture ? undefined : media.camera === "asking" ? "Starting the camera…" : "Camera Off"}
          />
          <div className="call-controls">
            <DeviceControls call={call} media={media} />
          </div>
          <Refused media={media} mayReload />
        </section>
        <section className="waiting-go" aria-label="Join">
          <p role="status" className="notice">
            {presenceOf(state, facts, isAwaited)}
          </p>
          <Button variant="primary" type="button" onClick={() => call.join()}>
            Join Room
          </Button>
          <p className="hint">{joiningWith(media)} Nothing is sent before you press Join Room.</p>
          <ConnectionTest facts={facts} isOnline={state.isOnline} />
          <ByPhone facts={facts} when="If nothing works," />
        </section>
        <section className="waiting-devices" aria-label="Your devices">
          <MicrophoneMeter track={media.microphone === "on" ? call.microphone : null} />
          <DeviceChoice call={call} media={media} />
        </section>
      </div>
    </>
  );
}

/** `isAwaited`: the family has opened the visit and waits for the consultant. */
function presenceOf(
  { isOnline, isOtherPresent, trouble }: CallState,
  { role, otherName }: CallFacts,
  isAwaited: boolean,
): string {
  if (trouble) return trouble;
  if (!isOnline) return "Connecting…";
  if (isOtherPresent) return `${otherName} is in the room.`;
  if (role === "client") return `${otherName} can see that you are waiting.`;
  return isAwaited ? `${otherName} is waiting for you.` : `${otherName} is not here yet.`;
}

function joiningWith({ camera, microphone }: CallState["media"]): string {
  if (camera === "on" && microphone === "on") return "You join with picture and sound.";
  if (camera === "on") return "You join with picture and no sound.";
  if (microphone === "on") return "You join with sound only.";
  return "You join with text chat only. You can hear and see the other side.";
}
