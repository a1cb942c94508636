import { useEffect, useRef } from "react";
import { PageTitle } from "../ui/page-title.tsx";
import { ByPhone } from "./by-phone.tsx";
import type { Call } from "./call.client.ts";
import { type CallFacts, type CallState, isTroubled, standingOf } from "./call-state.ts";
import { OTHER_NETWORK } from "./connection-words.ts";
import { Chat } from "./chat.tsx";
import { Clock } from "./clock.tsx";
import { DeviceControls } from "./controls.tsx";
import { HangUpIcon } from "./icons.tsx";
import { Pane } from "./picture.tsx";
import { Refused } from "./refused.tsx";
import type { Role } from "./signals.ts";

type InRoomProps = { call: Call; state: CallState; facts: CallFacts };

const LABELS: Record<Role, string> = { client: "CLIENT", admin: "ADMIN" };

/** The two of them, side by side. */
export function InRoom({ call, state, facts }: InRoomProps) {
  const { role, otherName } = facts;
  const { media, ownPicture } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView();
  }, []);
  const lastHeard = state.messages.findLast(({ isOwn }) => !isOwn);
  const otherRole = role === "client" ? "admin" : "client";
  return (
    <>
      <PageTitle>{`Video visit with ${otherName}`}</PageTitle>
      <h1 ref={heading} tabIndex={-1} className="text-2xl">
        Video visit with {otherName}
      </h1>
      <div className="call-standing">
        <p role="status" data-trouble={isTroubled(state) || undefined}>
          {standingOf(state, otherName)}
        </p>
        <Clock facts={facts} togetherSince={state.togetherSince} />
      </div>
      {state.isStuck && <Stuck facts={facts} />}
      {state.trouble && <p role="alert">{state.trouble}</p>}
      <div className="call-room">
        <div className="panes">
          <Pane
            label={`${LABELS[otherRole]}${state.other?.microphone === false ? " · microphone off" : ""}`}
            stream={state.remote}
            isOwn={false}
            overlay={otherOverlay(state, facts)}
            isVeiled={state.link === "interrupted"}
            caption={lastHeard?.text}
          />
          <Pane
            label={`${LABELS[role]} · You`}
            stream={ownPicture}
            isOwn
            isMirrored={media.isMirrored}
            overlay={ownPicture ? undefined : "Camera Off"}
          />
        </div>
        <div className="call-controls" role="group" aria-label="Call controls">
          <DeviceControls call={call} media={media} />
          <button type="button" className="call-control call-control-end" onClick={() => call.leave()}>
            <HangUpIcon />
            {role === "admin" ? "End call" : "Leave"}
          </button>
        </div>
        <Refused media={media} />
        <Chat call={call} messages={state.messages} otherName={otherName} />
      </div>
    </>
  );
}

function otherOverlay({ link, isOtherPresent, other }: CallState, { role, otherName }: CallFacts) {
  if (!isOtherPresent && link === null) {
    return (
      <>
        <span className="spinner" />
        {role === "admin" ? "Waiting for client..." : `Waiting for ${otherName}...`}
      </>
    );
  }
  if (link === null || link === "connecting") {
    return (
      <>
        <span className="spinner" />
        Connecting…
      </>
    );
  }
  if (link === "interrupted") {
    return (
      <>
        <span className="spinner" />
        Reconnecting…
      </>
    );
  }
  if (other?.isPaused) return "The picture rests: weak connection. You can still talk.";
  return other?.camera === false ? "Camera Off" : undefined;
}

/** Nobody should wait for a picture that can't come. */
function Stuck({ facts }: { facts: CallFacts }) {
  return (
    <div role="alert" className="notice notice-danger">
      <p className="font-bold">Your two networks don't let sound and picture through.</p>
      <p>{OTHER_NETWORK} We keep trying. The chat below works.</p>
      <ByPhone facts={facts} when="Or" />
    </div>
  );
}
