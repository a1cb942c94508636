import {
  type CallInfo,
  type CallState,
  type ChatMessage,
  toLocalMediaFlags,
  createInitialCallState,
  appendChatMessage,
  NO_PEER_CONNECTION_STATE,
} from "./call-state.ts";
import { IceServerSource } from "./ice-server-source.client.ts";
import { ConnectionQualityController, type QualityReport } from "./connection-quality-controller.client.ts";
import { RemoteVideo } from "./render-stall.client.ts";
import { LocalMedia } from "./local-media.client.ts";
import { ConnectTimeoutTimer } from "./connect-timeout-timer.client.ts";
import { PeerConnection } from "./peer-connection.client.ts";
import { chatText, CLOSE_CODES, type ForwardedSignal, type ServerSignal } from "../signaling-protocol.ts";
import { SignalingSocket } from "./signaling-socket.client.ts";

const RECONNECT_DELAY_MS = 1500;
const END_CALL_TIMEOUT_MS = 4000;

/**
 * A video visit in this page: devices, signaling socket and peer connection. Before `join` there is no peer
 * connection, so no picture or sound can be sent. `release` stops the devices and closes both connections.
 */
export class CallClient {
  state: CallState;
  private readonly callInfo: CallInfo;
  private readonly listeners = new Set<() => void>();
  readonly media: LocalMedia;
  readonly remoteVideo = new RemoteVideo();
  private readonly socket: SignalingSocket;
  private readonly tabId = crypto.randomUUID();
  private peer: PeerConnection | null = null;
  private otherTabId: string | null = null;
  private readonly iceServers: IceServerSource;
  private qualityController: ConnectionQualityController | null = null;
  private readonly connectTimer = new ConnectTimeoutTimer(() => this.onConnectTimeout());
  private isReleased = false;

  constructor(callInfo: CallInfo) {
    this.callInfo = callInfo;
    this.iceServers = new IceServerSource(callInfo);
    this.media = new LocalMedia(() => this.onMediaChanged());
    this.state = createInitialCallState(this.media.state);
    this.socket = new SignalingSocket({
      appointmentId: callInfo.id,
      tabId: this.tabId,
      onSignal: (signal) => this.onSignal(signal),
      onStatus: (isOnline) => this.setState({ isOnline }),
      onClosed: (code, reason) => this.onClosed(code, reason),
    });
    void this.media.open();
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  join(): void {
    this.setState({ stage: "room" });
    this.socket.join();
  }

  sendChat(text: string): void {
    const isSent = this.state.isOtherPresent && this.socket.send({ type: "chat", payload: { text } });
    this.addMessage({ isOwn: true, text, isUndelivered: !isSent });
  }

  /** Leaves the call: a family may come back, while the consultant ends the call for both people. */
  leave(): void {
    if (this.callInfo.role === "client") {
      this.socket.send({ type: "leave-room" });
      return this.finish(`/dashboard?left=${this.callInfo.id}`);
    }
    this.releaseMedia();
    this.setState({ stage: "ending" });
    this.socket.send({ type: "end-call" });
    setTimeout(() => this.finish(), END_CALL_TIMEOUT_MS);
  }

  release(): void {
    this.isReleased = true;
    this.releaseMedia();
    this.socket.close();
    this.listeners.clear();
  }

  private onSignal(signal: ServerSignal) {
    const { stage } = this.state;
    if (signal.type === "call-ended") return stage === "waiting" ? undefined : this.finish();
    if (signal.type === "error") return this.setState({ errorText: signal.payload.message });
    // The first end-call may have been lost with the socket, so it is sent again after the socket has reconnected.
    if (stage === "ending") return signal.type === "joined" ? void this.socket.send({ type: "end-call" }) : undefined;
    if (signal.type === "joined") {
      const { present, otherPage, waiting } = signal.payload;
      this.setState({ isOtherPresent: present.some((role) => role !== this.callInfo.role), errorText: "" });
      if (!waiting && stage === "room" && this.state.isOtherPresent) this.onPeerJoined(otherPage);
    } else if (signal.type === "user-joined") {
      this.setState({ isOtherPresent: true });
      if (stage === "room") this.onPeerJoined(signal.payload.page);
    } else if (signal.type === "user-left") {
      this.setState({ isOtherPresent: false });
      if (this.peer?.connectionState !== "connected") this.closePeer();
    } else if (stage === "room") this.onRelayedSignal(signal);
  }

  private onRelayedSignal(signal: ForwardedSignal) {
    if (signal.type === "chat")
      return this.addMessage({ isOwn: false, text: chatText(signal.payload), isUndelivered: false });
    if (signal.type === "ice-candidate")
      return void this.peer?.receive({ type: "ice-candidate", payload: signal.payload ?? null });
    if (signal.type === "offer" && !this.peer?.isFromSamePeer(signal.payload)) {
      this.createPeer();
      // The offer belongs to a closed connection: the consultant's side makes the offer for the new one.
      if (this.callInfo.role === "admin") return;
    }
    void this.peer?.receive(signal);
  }

  /** Handles that the other side joined. The same page keeps its peer connection; another page needs a new one. */
  private onPeerJoined(tabId: string | null) {
    if (this.peer && this.otherTabId === tabId) return void this.peer.renegotiate().catch(() => undefined);
    this.closePeer();
    this.connectTimer.start();
    this.otherTabId = tabId;
    // The consultant's side makes the offer; the family's side creates its connection when the offer arrives.
    if (this.callInfo.role === "admin") this.createPeer();
  }

  private createPeer() {
    this.disconnectPeer();
    const peer: PeerConnection = new PeerConnection({
      isPolite: this.callInfo.role === "client",
      iceServers: this.iceServers.currentServers,
      refreshIceServers: () => this.iceServers.refresh(),
      tracks: { audio: this.media.audio, video: this.media.video },
      send: (signal) => void this.socket.send(signal),
      onChange: () => this.peer === peer && this.onPeerChanged(peer),
      onEnded: (reason) => this.peer === peer && this.onPeerEnded(reason),
    });
    this.peer = peer;
    this.qualityController = new ConnectionQualityController(
      peer,
      () => this.media.video !== null,
      this.remoteVideo,
      (report) => this.peer === peer && this.onQuality(report),
    );
    this.onMediaChanged();
    this.onPeerChanged(peer);
    this.connectTimer.start();
  }

  private onPeerEnded(reason: "hung-up" | "replaced") {
    this.closePeer();
    const delayMs = reason === "replaced" ? 0 : RECONNECT_DELAY_MS;
    setTimeout(() => !this.peer && this.shouldOffer() && this.createPeer(), delayMs);
  }

  /** Creates a new connection, because a first negotiation that lost a signal would never finish. */
  private onConnectTimeout() {
    if (this.shouldOffer() && this.peer?.connectionState !== "interrupted") this.createPeer();
    this.setState({ isUnreachable: true });
  }

  private shouldOffer(): boolean {
    return (
      this.callInfo.role === "admin" && !this.isReleased && this.state.isOtherPresent && this.state.stage === "room"
    );
  }

  private disconnectPeer() {
    this.qualityController?.stop();
    this.peer?.close();
    this.peer = null;
    this.setState({ isVideoPaused: false });
  }

  private closePeer() {
    this.disconnectPeer();
    this.connectTimer.stop();
    const connectedSince = this.state.isOtherPresent ? this.state.connectedSince : null;
    this.setState({ ...NO_PEER_CONNECTION_STATE, connectedSince });
  }

  private onPeerChanged({ connectionState, remoteFlags, remoteStream }: PeerConnection) {
    const { connectedSince, connectionState: previous } = this.state;
    const wasLongInterruption = connectionState === "connected" && this.connectTimer.reset();
    if (connectionState !== "connected" && previous === "connected") this.connectTimer.start();
    // After a long gap, Chromium may show the last frame although it decodes new ones. A new connection fixes this.
    if (wasLongInterruption && previous === "interrupted" && this.callInfo.role === "admin") return this.createPeer();
    this.setState({
      connectionState,
      remoteFlags,
      remoteStream,
      isUnreachable: connectionState !== "connected" && this.state.isUnreachable,
      connectedSince: connectedSince ?? (connectionState === "connected" ? Date.now() : null),
    });
  }

  private onMediaChanged() {
    const { video, audio, state } = this.media;
    const currentTrack = this.state.localStream?.getVideoTracks()[0] ?? null;
    const localStream = currentTrack === video ? this.state.localStream : video && new MediaStream([video]);
    this.setState({ media: state, localStream });
    void this.peer?.setTrack("video", video).catch(() => undefined);
    void this.peer?.setTrack("audio", audio).catch(() => undefined);
    this.peer?.sendFlags(toLocalMediaFlags(this.state));
  }

  private onQuality({ quality, isVideoPaused, isPictureFrozen }: QualityReport) {
    // The consultant's side creates a new connection when the family's side closes its own.
    if (isPictureFrozen) return this.shouldOffer() ? this.createPeer() : this.closePeer();
    const hasPauseChanged = isVideoPaused !== this.state.isVideoPaused;
    this.setState({ quality, isVideoPaused });
    if (hasPauseChanged) this.onMediaChanged();
  }

  private onClosed(code: number, reason: string) {
    if (code === CLOSE_CODES.ended) return this.finish();
    this.releaseMedia();
    const stage = code === CLOSE_CODES.replaced ? "replaced" : "refused";
    this.setState({ stage, errorText: reason || this.state.errorText });
  }

  private addMessage(message: Omit<ChatMessage, "id">) {
    this.setState({ messages: appendChatMessage(this.state.messages, message) });
  }

  private releaseMedia() {
    this.closePeer();
    this.media.close();
    this.setState({ localStream: null });
  }

  private finish(familyPath = "/dashboard") {
    if (this.isReleased) return;
    this.setState({ stage: "ended" });
    this.release();
    // A full page load also ends this page's permission to use camera and microphone.
    const isConsultant = this.callInfo.role === "admin";
    window.location.assign(isConsultant ? `/dashboard/appointments/${this.callInfo.id}/after` : familyPath);
  }

  private setState(patch: Partial<CallState>) {
    this.state = { ...this.state, ...patch };
    for (const listener of this.listeners) listener();
  }
}
