import { useEffect, useRef } from "react";
import { PageTitle } from "../../ui/page-title.tsx";
import { PhoneFallback } from "../phone-fallback.tsx";
import type { CallClient } from "./call.client.ts";
import { type CallInfo, type CallState, needsAttention, statusText } from "./call-state.ts";
import { TRY_OTHER_NETWORK } from "./probe-result.ts";
import { Chat } from "./chat.tsx";
import { CallClock } from "./call-clock.tsx";
import { DeviceControls } from "./device-controls.tsx";
import { HangUpIcon } from "./icons.tsx";
import { VideoPane } from "./video-pane.tsx";
import { DeviceProblem } from "./device-problem.tsx";
import type { Role } from "../signals.ts";

type CallRoomProps = { call: CallClient; state: CallState; facts: CallInfo };

const ROLE_LABELS: Record<Role, string> = { client: "CLIENT", admin: "ADMIN" };

/** The room: both videos, the controls and the chat. */
export function CallRoom({ call, state, facts }: CallRoomProps) {
  const { role, otherName } = facts;
  const { media, localStream } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView();
  }, []);
  const lastReceived = state.messages.findLast(({ isOwn }) => !isOwn);
  const otherRole = role === "client" ? "admin" : "client";
  return (
    <>
      <PageTitle>{`Video visit with ${otherName}`}</PageTitle>
      <h1 ref={heading} tabIndex={-1} className="text-2xl">
        Video visit with {otherName}
      </h1>
      <div className="call-status">
        <p role="status" data-warning={needsAttention(state) || undefined}>
          {statusText(state, otherName)}
        </p>
        <CallClock facts={facts} connectedSince={state.connectedSince} />
      </div>
      {state.isUnreachable && <UnreachableNotice facts={facts} />}
      {state.errorText && <p role="alert">{state.errorText}</p>}
      <div className="call-room">
        <div className="panes">
          <VideoPane
            label={`${ROLE_LABELS[otherRole]}${state.remoteFlags?.microphone === false ? " · microphone off" : ""}`}
            stream={state.remoteStream}
            isOwn={false}
            overlay={remoteOverlay(state, facts)}
            isDimmed={state.connectionState === "interrupted"}
            caption={lastReceived?.text}
          />
          <VideoPane
            label={`${ROLE_LABELS[role]} · You`}
            stream={localStream}
            isOwn
            isMirrored={media.isMirrored}
            overlay={localStream ? undefined : "Camera Off"}
          />
        </div>
        <div className="call-controls" role="group" aria-label="Call controls">
          <DeviceControls call={call} media={media} />
          <button type="button" className="call-control call-control-end" onClick={() => call.leave()}>
            <HangUpIcon />
            {role === "admin" ? "End call" : "Leave"}
          </button>
        </div>
        <DeviceProblem media={media} />
        <Chat call={call} messages={state.messages} otherName={otherName} />
      </div>
    </>
  );
}

function remoteOverlay({ connectionState, isOtherPresent, remoteFlags }: CallState, { role, otherName }: CallInfo) {
  if (!isOtherPresent && connectionState === null) {
    return (
      <>
        <span className="spinner" />
        {role === "admin" ? "Waiting for client..." : `Waiting for ${otherName}...`}
      </>
    );
  }
  if (connectionState === null || connectionState === "connecting") {
    return (
      <>
        <span className="spinner" />
        Connecting…
      </>
    );
  }
  if (connectionState === "interrupted") {
    return (
      <>
        <span className="spinner" />
        Reconnecting…
      </>
    );
  }
  if (remoteFlags?.isVideoPaused) return "The video is paused: weak connection. You can still talk.";
  return remoteFlags?.camera === false ? "Camera Off" : undefined;
}

/** Shown when no connection could be established within 10 s. */
function UnreachableNotice({ facts }: { facts: CallInfo }) {
  return (
    <div role="alert" className="notice notice-danger">
      <p className="font-bold">Your two networks don't let sound and picture through.</p>
      <p>{TRY_OTHER_NETWORK} We keep trying. The chat below works.</p>
      <PhoneFallback facts={facts} when="Or" />
    </div>
  );
}
