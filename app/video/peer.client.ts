export type Link = "connecting" | "connected" | "interrupted";
/** What the other side is told besides sound and picture. */
export type Presence = { camera: boolean; microphone: boolean; isPaused: boolean };
export type MediaSignal =
  | { type: "offer"; payload: RTCSessionDescriptionInit }
  | { type: "answer"; payload: RTCSessionDescriptionInit }
  | { type: "ice-candidate"; payload: RTCIceCandidateInit | null };

type PeerOptions = {
  /** The polite side answers and gives way when both ask at once; the other side begins. */
  isPolite: boolean;
  servers: RTCIceServer[];
  /** Servers for another attempt: the words of the first may have run out. */
  freshServers: () => Promise<RTCIceServer[] | null>;
  tracks: { audio: MediaStreamTrack | null; video: MediaStreamTrack | null };
  send: (signal: MediaSignal) => void;
  changed: () => void;
  /** The other side hung up, or is a new page that the old line does not lead to. */
  ended: (why: "hung-up" | "replaced") => void;
};

const PATIENCE_MS = 2000;
const AGAIN_MS = 5000;
const MOST_BITS = 1_500_000;

/**
 * The line to the other side: perfect negotiation over whatever carries the signals. Tracks are replaced, never
 * renegotiated. A line that breaks is mended by ICE restarts for as long as it is kept.
 */
export class Peer {
  readonly remote = new MediaStream();
  link: Link = "connecting";
  other: Presence | null = null;
  private readonly options: PeerOptions;
  private readonly pc: RTCPeerConnection;
  private readonly own = new MediaStream();
  private channel: RTCDataChannel | null = null;
  private tracks: PeerOptions["tracks"];
  private presence: Presence = { camera: false, microphone: false, isPaused: false };
  /** Resolves once the relay is known: nothing is gathered, offered or answered before. */
  private readonly ready: Promise<void>;
  private work: Promise<void>;
  private isOffering = false;
  private ignoresOffer = false;
  private mending: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  constructor(options: PeerOptions) {
    this.options = options;
    this.tracks = options.tracks;
    this.pc = new RTCPeerConnection({ iceServers: options.servers, bundlePolicy: "max-bundle" });
    this.pc.addEventListener("icecandidate", ({ candidate }) =>
      options.send({ type: "ice-candidate", payload: candidate?.toJSON() ?? null }),
    );
    this.pc.addEventListener("negotiationneeded", () => void this.offer());
    this.pc.addEventListener("track", ({ track }) => {
      this.remote.addTrack(track);
      options.changed();
    });
    for (const event of ["iceconnectionstatechange", "connectionstatechange"] as const)
      this.pc.addEventListener(event, () => this.follow());
    this.ready = this.useFreshServers().catch(() => undefined);
    this.work = this.ready;
    if (!options.isPolite) this.begin();
  }

  /** A description or candidate of the other side; one after the other, a broken one changes nothing. */
  receive(signal: MediaSignal): Promise<void> {
    this.work = this.work.then(() => (this.isClosed ? undefined : this.take(signal))).catch(() => undefined);
    return this.work;
  }

  /** Whether a description comes from the page at the other end of this line, or from a newer one: each has its key. */
  isFrom({ sdp }: RTCSessionDescriptionInit): boolean {
    const known = this.pc.remoteDescription?.sdp;
    return !known || keyOf(known) === keyOf(sdp);
  }

  /** After the signals were lost for a while: what was lost with them is asked again. */
  async resume(): Promise<void> {
    if (this.link !== "connected" || this.pc.signalingState === "have-local-offer") await this.mend();
  }

  async setTrack(kind: "audio" | "video", track: MediaStreamTrack | null): Promise<void> {
    this.tracks = { ...this.tracks, [kind]: track };
    await this.senderOf(kind)?.replaceTrack(track);
  }

  /** The picture rests without a word to the other side's decoder: nothing is renegotiated. */
  async pausePicture(isPaused: boolean): Promise<void> {
    const sender = this.senderOf("video");
    const parameters = sender?.getParameters();
    const [encoding] = parameters?.encodings ?? [];
    if (!sender || !parameters || !encoding) return;
    encoding.active = !isPaused;
    await sender.setParameters(parameters).catch(() => undefined);
  }

  /** Tells the other side what it can't see: that a black picture is a camera that is off. */
  tell(presence: Presence): void {
    this.presence = presence;
    if (this.channel?.readyState === "open") this.channel.send(JSON.stringify(presence));
  }

  /** Looks for another way through the network while whatever still flows goes on flowing. */
  async mend(): Promise<void> {
    await this.useFreshServers();
    if (this.isClosed) return;
    // An offer that never arrived would keep the next one from being made.
    if (this.pc.signalingState === "have-local-offer") await this.pc.setLocalDescription({ type: "rollback" });
    this.pc.restartIce();
  }

  private async useFreshServers(): Promise<void> {
    const servers = await this.options.freshServers();
    if (servers && !this.isClosed) this.pc.setConfiguration({ ...this.pc.getConfiguration(), iceServers: servers });
  }

  stats(): Promise<RTCStatsReport> {
    return this.pc.getStats();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.mending);
    this.channel?.close();
    this.pc.close();
  }

  private begin() {
    for (const kind of ["audio", "video"] as const) {
      const encodings = kind === "video" ? { sendEncodings: [{ maxBitrate: MOST_BITS }] } : {};
      const { sender } = this.pc.addTransceiver(kind, { direction: "sendrecv", streams: [this.own], ...encodings });
      void sender.replaceTrack(this.tracks[kind]);
    }
    this.openChannel();
  }

  /** The lines that the other side laid are taken up, both ways. */
  private async takeUp() {
    for (const transceiver of this.pc.getTransceivers()) {
      const kind = transceiver.receiver.track.kind as "audio" | "video";
      transceiver.direction = "sendrecv";
      // Sound and picture of one stream are kept in step.
      transceiver.sender.setStreams?.(this.own);
      await transceiver.sender.replaceTrack(this.tracks[kind]);
    }
    if (!this.channel) this.openChannel();
  }

  private openChannel() {
    const channel = this.pc.createDataChannel("presence", { negotiated: true, id: 0 });
    this.channel = channel;
    channel.addEventListener("open", () => this.tell(this.presence));
    channel.addEventListener("message", ({ data }) => {
      this.other = readPresence(data);
      this.options.changed();
    });
    channel.addEventListener("close", () => {
      if (!this.isClosed) this.options.ended("hung-up");
    });
  }

  private async offer() {
    try {
      await this.ready;
      this.isOffering = true;
      await this.pc.setLocalDescription();
      this.sendDescription();
    } catch {
      // Closed meanwhile, or overtaken by the other side's offer.
    } finally {
      this.isOffering = false;
    }
  }

  private async take(signal: MediaSignal) {
    const { pc } = this;
    if (signal.type === "ice-candidate") {
      return pc.addIceCandidate(signal.payload ?? undefined).catch((error: unknown) => {
        if (!this.ignoresOffer) throw error;
      });
    }
    const description = signal.payload;
    if (signal.type === "answer") {
      if (!this.isFrom(description)) return this.options.ended("replaced");
      return pc.setRemoteDescription(description);
    }
    const collides = this.isOffering || pc.signalingState !== "stable";
    this.ignoresOffer = !this.options.isPolite && collides;
    if (this.ignoresOffer) return;
    await pc.setRemoteDescription(description);
    await this.takeUp();
    await pc.setLocalDescription();
    this.sendDescription();
  }

  private sendDescription() {
    const description = this.pc.localDescription;
    if (!description || description.type === "rollback" || description.type === "pranswer") return;
    this.options.send({ type: description.type, payload: description.toJSON() });
  }

  private senderOf(kind: "audio" | "video"): RTCRtpSender | undefined {
    return this.pc.getTransceivers().find(({ receiver }) => receiver.track.kind === kind)?.sender;
  }

  private follow() {
    if (this.isClosed) return;
    const { connectionState, iceConnectionState } = this.pc;
    if (connectionState === "closed") return this.options.ended("hung-up");
    const isUp = connectionState === "connected" && iceConnectionState !== "disconnected";
    const wasUp = this.link !== "connecting";
    this.link = isUp ? "connected" : wasUp ? "interrupted" : "connecting";
    const isBroken = ["disconnected", "failed"].includes(iceConnectionState) || connectionState === "failed";
    if (isUp) this.stopMending();
    else if (isBroken) this.mending ??= setTimeout(() => this.keepMending(), PATIENCE_MS);
    this.options.changed();
  }

  private keepMending() {
    void this.mend().catch(() => undefined);
    this.mending = setTimeout(() => this.keepMending(), AGAIN_MS);
  }

  private stopMending() {
    clearTimeout(this.mending);
    this.mending = undefined;
  }
}

function keyOf(sdp: string | undefined): string {
  return /^a=fingerprint:(\S+ \S+)/m.exec(sdp ?? "")?.[1]?.toUpperCase() ?? "";
}

function readPresence(text: unknown): Presence | null {
  try {
    const { camera, microphone, isPaused } = JSON.parse(String(text)) as Partial<Presence>;
    return { camera: camera === true, microphone: microphone === true, isPaused: isPaused === true };
  } catch {
    return null;
  }
}
