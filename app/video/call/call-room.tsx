import { useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { useSite } from "../../practice/site.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { PhoneFallback } from "../phone-fallback.tsx";
import type { Role } from "../signaling-protocol.ts";
import type { CallClient } from "./call.client.ts";
import "./call-room.css";
import { type CallInfo, type CallState, hasConnectionProblem, connectionStatusText } from "./call-state.ts";
import { CallClock } from "./call-clock.tsx";
import { Chat, MESSAGE_FIELD_ID } from "./chat.tsx";
import { ConsultantPanel, useConsultantTabs } from "./consultant-call-tabs.tsx";
import { CameraMicrophoneButtons } from "./camera-microphone-buttons.tsx";
import { DeviceProblem } from "./device-problem.tsx";
import { ChatIcon, HangUpIcon } from "./call-icons.tsx";
import { TRY_OTHER_NETWORK_ADVICE } from "./connection-test-result.ts";
import { VideoPane } from "./video-pane.tsx";

type CallRoomProps = { call: CallClient; state: CallState; callInfo: CallInfo };

const ROLE_LABELS: Record<Role, string> = { client: "Client", admin: "Consultant" };

/** Shows the room, which fills the window: both videos, the chat beside or below them, and the controls. */
export function CallRoom({ call, state, callInfo }: CallRoomProps) {
  const { role, otherParticipantName } = callInfo;
  const { media } = state;
  const tabs = useConsultantTabs(state.messages);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo(0, 0);
  }, []);
  const chat = <Chat call={call} messages={state.messages} otherParticipantName={otherParticipantName} />;
  const openChat = () => {
    // The field can't be focused while its tab is hidden.
    flushSync(() => tabs.select("chat"));
    document.getElementById(MESSAGE_FIELD_ID)?.focus();
  };
  return (
    <div className="call-room">
      <PageMeta>{`Video visit with ${otherParticipantName}`}</PageMeta>
      <div className="call-bar">
        <h1 ref={heading} tabIndex={-1}>
          Video visit with {otherParticipantName}
        </h1>
        <div className="call-status">
          <p role="status" data-warning={hasConnectionProblem(state) || undefined}>
            {connectionStatusText(state, otherParticipantName)}
          </p>
          <CallClock callInfo={callInfo} connectedSince={state.connectedSince} />
        </div>
        {state.isUnreachable && <UnreachableNotice callInfo={callInfo} />}
        {state.errorText && <p role="alert">{state.errorText}</p>}
      </div>
      <VideoPanes call={call} state={state} callInfo={callInfo} />
      <div className="call-side">
        <DeviceProblem media={media} />
        {role === "admin" ? <ConsultantPanel tabs={tabs} callInfo={callInfo} chat={chat} /> : chat}
      </div>
      <div className="call-controls" role="group" aria-label="Call controls">
        <CameraMicrophoneButtons call={call} media={media} />
        <button type="button" className="call-control call-control-chat" onClick={openChat}>
          <ChatIcon />
          <span>Chat</span>
        </button>
        <button type="button" className="call-control call-control-end" onClick={() => call.leave()}>
          <HangUpIcon />
          <span>{role === "admin" ? "End call" : "Leave"}</span>
        </button>
      </div>
    </div>
  );
}

/** Shows the other side's video as large as possible, and the person's own video small in its corner. */
function VideoPanes({ call, state, callInfo }: CallRoomProps) {
  const { role, otherParticipantName } = callInfo;
  const { media, localStream, remoteFlags } = state;
  const otherRole = role === "client" ? "admin" : "client";
  const { consultant } = useSite().practice;
  const displayName = otherRole === "admin" && consultant ? consultant.name : otherParticipantName;
  return (
    <div className="panes">
      <VideoPane
        label={`${ROLE_LABELS[otherRole]} · ${displayName}${remoteFlags?.microphone === false ? " · microphone off" : ""}`}
        stream={state.remoteStream}
        isOwn={false}
        videoRef={call.remoteVideo.video}
        overlay={renderRemoteOverlay(state, callInfo)}
        isDimmed={state.connectionState === "interrupted"}
        caption={state.messages.findLast(({ isOwn }) => !isOwn)?.text}
      />
      <VideoPane
        label={`${ROLE_LABELS[role]} · You`}
        stream={localStream}
        isOwn
        isMirrored={media.isMirrored}
        overlay={localStream ? undefined : "Camera Off"}
      />
    </div>
  );
}

function renderRemoteOverlay(
  { connectionState, isOtherPresent, remoteFlags }: CallState,
  { role, otherParticipantName }: CallInfo,
) {
  if (!isOtherPresent && connectionState === null)
    return <BusyOverlay text={role === "admin" ? "Waiting for client..." : `Waiting for ${otherParticipantName}...`} />;
  if (connectionState === null || connectionState === "connecting") return <BusyOverlay text="Connecting…" />;
  if (connectionState === "interrupted") return <BusyOverlay text="Reconnecting…" />;
  if (remoteFlags?.isVideoPaused) return "The video is paused: weak connection. You can still talk.";
  return remoteFlags?.camera === false ? "Camera Off" : undefined;
}

function BusyOverlay({ text }: { text: string }) {
  return (
    <>
      <span className="spinner" />
      {text}
    </>
  );
}

/** Notice that is shown when no connection could be established within 10 s. */
function UnreachableNotice({ callInfo }: { callInfo: CallInfo }) {
  return (
    <div role="alert" className="notice notice-danger">
      <p className="font-bold">Your two networks are blocking sound and video.</p>
      <p>{TRY_OTHER_NETWORK_ADVICE} We keep trying. The chat still works.</p>
      <PhoneFallback callInfo={callInfo} when="Or" />
    </div>
  );
}
