import { SerialQueue } from "../../serial-queue.ts";
import type { AnswerPayload } from "../signaling-protocol.ts";
import { parseDtlsFingerprint, parseIceUsernameFragment } from "./sdp.ts";

export type ConnectionState = "connecting" | "connected" | "interrupted";
/** Flags that are sent to the other side in addition to audio and video. */
export type MediaFlags = { camera: boolean; microphone: boolean; isVideoPaused: boolean };
export type MediaSignal =
  | { type: "offer"; payload: RTCSessionDescriptionInit }
  | { type: "answer"; payload: AnswerPayload }
  | { type: "ice-candidate"; payload: RTCIceCandidateInit | null };

type PeerConnectionOptions = {
  /** The polite side rolls back its offer when both sides send one at once; the impolite side makes the first offer. */
  isPolite: boolean;
  iceServers: RTCIceServer[];
  /** Returns new servers if the credentials have changed or are missing; otherwise null. */
  refreshIceServers: () => Promise<RTCIceServer[] | null>;
  tracks: { audio: MediaStreamTrack | null; video: MediaStreamTrack | null };
  send: (signal: MediaSignal) => void;
  onChange: () => void;
  /** Called when the other side closed the connection, or answers from a new page that needs a new connection. */
  onEnded: (reason: "hung-up" | "replaced") => void;
};

const RESTART_DELAY_MS = 2000;
const RESTART_INTERVAL_MS = 5000;
const MAX_VIDEO_BITS_PER_SECOND = 1_500_000;

/**
 * The peer connection to the other side, using perfect negotiation. Tracks are replaced without renegotiation. After an
 * interruption it restarts ICE every 5 s until it is connected or closed.
 */
export class PeerConnection {
  readonly remoteStream = new MediaStream();
  connectionState: ConnectionState = "connecting";
  remoteFlags: MediaFlags | null = null;
  private readonly options: PeerConnectionOptions;
  private readonly pc: RTCPeerConnection;
  private readonly localStream = new MediaStream();
  private channel: RTCDataChannel | null = null;
  private tracks: PeerConnectionOptions["tracks"];
  private localFlags: MediaFlags = { camera: false, microphone: false, isVideoPaused: false };
  /** Resolves once the ICE servers are fetched. Before that, no candidate is gathered and no description is sent. */
  private readonly iceServersReady: Promise<void>;
  private readonly queue = new SerialQueue();
  private isMakingOffer = false;
  private shouldIgnoreOffer = false;
  private restartTimer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  constructor(options: PeerConnectionOptions) {
    this.options = options;
    this.tracks = options.tracks;
    this.pc = new RTCPeerConnection({ iceServers: options.iceServers, bundlePolicy: "max-bundle" });
    this.pc.addEventListener("icecandidate", ({ candidate }) =>
      options.send({ type: "ice-candidate", payload: candidate?.toJSON() ?? null }),
    );
    this.pc.addEventListener("negotiationneeded", () => void this.makeOffer());
    this.pc.addEventListener("track", ({ track }) => {
      this.remoteStream.addTrack(track);
      options.onChange();
    });
    for (const event of ["iceconnectionstatechange", "connectionstatechange"] as const)
      this.pc.addEventListener(event, () => this.updateConnectionState());
    this.iceServersReady = this.queue.run(() => this.updateIceServers()).catch(() => undefined);
    if (!options.isPolite) this.addTransceivers();
  }

  /** Applies a description or candidate from the other side, in order of arrival. An invalid one is ignored. */
  receive(signal: MediaSignal): Promise<void> {
    return this.queue.run(() => (this.isClosed ? undefined : this.handleSignal(signal))).catch(() => undefined);
  }

  /** Returns whether a description is from the connected page, not a newer one. Their DTLS fingerprints differ. */
  isFromSamePeer({ sdp }: RTCSessionDescriptionInit): boolean {
    const remoteSdp = this.pc.remoteDescription?.sdp;
    return !remoteSdp || parseDtlsFingerprint(remoteSdp) === parseDtlsFingerprint(sdp);
  }

  /** Repeats the negotiation if signals may have been lost while the signaling socket was down. */
  async renegotiate(): Promise<void> {
    if (this.connectionState !== "connected" || this.pc.signalingState === "have-local-offer") await this.restartIce();
  }

  async setTrack(kind: "audio" | "video", track: MediaStreamTrack | null): Promise<void> {
    this.tracks = { ...this.tracks, [kind]: track };
    await this.findSender(kind)?.replaceTrack(track);
  }

  /** Pauses or resumes sending video through the encoding's parameters, without renegotiation. */
  async setVideoPaused(isVideoPaused: boolean): Promise<void> {
    const sender = this.findSender("video");
    const parameters = sender?.getParameters();
    const [encoding] = parameters?.encodings ?? [];
    if (!sender || !parameters || !encoding) return;
    encoding.active = !isVideoPaused;
    await sender.setParameters(parameters).catch(() => undefined);
  }

  /** Sends the flags now or once the data channel opens: a disabled camera looks like a dark one to the other side. */
  sendFlags(flags: MediaFlags): void {
    this.localFlags = flags;
    if (this.channel?.readyState === "open") this.channel.send(JSON.stringify(flags));
  }

  /** Restarts ICE to find a new network path while media continues on the current one. */
  async restartIce(): Promise<void> {
    await this.updateIceServers();
    if (this.isClosed) return;
    // An unanswered offer would block the next one.
    if (this.pc.signalingState === "have-local-offer") await this.pc.setLocalDescription({ type: "rollback" });
    this.pc.restartIce();
  }

  private async updateIceServers(): Promise<void> {
    const servers = await this.options.refreshIceServers();
    if (servers && !this.isClosed) this.pc.setConfiguration({ ...this.pc.getConfiguration(), iceServers: servers });
  }

  stats(): Promise<RTCStatsReport> {
    return this.pc.getStats();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.restartTimer);
    this.channel?.close();
    this.pc.close();
  }

  private addTransceivers() {
    for (const kind of ["audio", "video"] as const) {
      const encodings = kind === "video" ? { sendEncodings: [{ maxBitrate: MAX_VIDEO_BITS_PER_SECOND }] } : {};
      const { sender } = this.pc.addTransceiver(kind, {
        direction: "sendrecv",
        streams: [this.localStream],
        ...encodings,
      });
      void sender.replaceTrack(this.tracks[kind]);
    }
    this.openChannel();
  }

  /** Adds this side's tracks to the offered transceivers, in both directions. */
  private async acceptTransceivers() {
    for (const transceiver of this.pc.getTransceivers()) {
      const kind = transceiver.receiver.track.kind as "audio" | "video";
      transceiver.direction = "sendrecv";
      // Browsers synchronize audio and video of the same stream.
      transceiver.sender.setStreams?.(this.localStream);
      await transceiver.sender.replaceTrack(this.tracks[kind]);
    }
    if (!this.channel) this.openChannel();
  }

  private openChannel() {
    const channel = this.pc.createDataChannel("presence", { negotiated: true, id: 0 });
    this.channel = channel;
    channel.addEventListener("open", () => this.sendFlags(this.localFlags));
    channel.addEventListener("message", ({ data }) => {
      this.remoteFlags = parseMediaFlags(data);
      this.options.onChange();
    });
    channel.addEventListener("close", () => {
      if (!this.isClosed) this.options.onEnded("hung-up");
    });
  }

  private async makeOffer() {
    try {
      await this.iceServersReady;
      this.isMakingOffer = true;
      await this.pc.setLocalDescription();
      this.sendDescription();
    } catch {
      // The connection was closed, or an offer from the other side arrived first.
    } finally {
      this.isMakingOffer = false;
    }
  }

  private async handleSignal(signal: MediaSignal) {
    const { pc } = this;
    if (signal.type === "ice-candidate") {
      return pc.addIceCandidate(signal.payload ?? undefined).catch((error: unknown) => {
        if (!this.shouldIgnoreOffer) throw error;
      });
    }
    if (signal.type === "answer") {
      const { inReplyTo, ...answer } = signal.payload;
      // This answers an offer that was rolled back or one of the previous connection. The right answer follows.
      if (inReplyTo !== undefined && inReplyTo !== parseIceUsernameFragment(pc.localDescription?.sdp)) return;
      if (!this.isFromSamePeer(answer)) return this.options.onEnded("replaced");
      return pc.setRemoteDescription(answer);
    }
    // Until its first offer is answered, the impolite side gets offers only from connections that have been replaced.
    const isCollision = this.isMakingOffer || pc.signalingState !== "stable" || !pc.remoteDescription;
    this.shouldIgnoreOffer = !this.options.isPolite && isCollision;
    if (this.shouldIgnoreOffer) return;
    await pc.setRemoteDescription(signal.payload);
    await this.acceptTransceivers();
    await pc.setLocalDescription();
    this.sendDescription();
  }

  private sendDescription() {
    const { localDescription: description, remoteDescription } = this.pc;
    const inReplyTo = parseIceUsernameFragment(remoteDescription?.sdp);
    const { send } = this.options;
    if (description?.type === "offer") send({ type: "offer", payload: description.toJSON() });
    if (description?.type === "answer") send({ type: "answer", payload: { ...description.toJSON(), inReplyTo } });
  }

  private findSender(kind: "audio" | "video"): RTCRtpSender | undefined {
    return this.pc.getTransceivers().find(({ receiver }) => receiver.track.kind === kind)?.sender;
  }

  private updateConnectionState() {
    if (this.isClosed) return;
    const { connectionState, iceConnectionState } = this.pc;
    if (connectionState === "closed") return this.options.onEnded("hung-up");
    const isConnected = connectionState === "connected" && iceConnectionState !== "disconnected";
    const wasConnected = this.connectionState !== "connecting";
    this.connectionState = isConnected ? "connected" : wasConnected ? "interrupted" : "connecting";
    const isBroken = ["disconnected", "failed"].includes(iceConnectionState) || connectionState === "failed";
    if (isConnected) this.stopRestarts();
    else if (isBroken) this.restartTimer ??= setTimeout(() => this.restartIceRepeatedly(), RESTART_DELAY_MS);
    this.options.onChange();
  }

  private restartIceRepeatedly() {
    void this.restartIce().catch(() => undefined);
    this.restartTimer = setTimeout(() => this.restartIceRepeatedly(), RESTART_INTERVAL_MS);
  }

  private stopRestarts() {
    clearTimeout(this.restartTimer);
    this.restartTimer = undefined;
  }
}

function parseMediaFlags(text: unknown): MediaFlags | null {
  try {
    const { camera, microphone, isVideoPaused } = JSON.parse(String(text)) as Partial<MediaFlags>;
    return { camera: camera === true, microphone: microphone === true, isVideoPaused: isVideoPaused === true };
  } catch {
    return null;
  }
}
