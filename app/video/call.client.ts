import {
  type CallFacts,
  type CallState,
  type Message,
  presenceOf,
  type Stage,
  startingState,
  withMessage,
} from "./call-state.ts";
import { IceServers } from "./ice-servers.client.ts";
import { LineWatch } from "./line-watch.client.ts";
import { type Kind, OwnMedia } from "./own-media.client.ts";
import { Patience } from "./patience.client.ts";
import { Peer } from "./peer.client.ts";
import { CLOSED, type RelayedSignal, type ServerSignal } from "./signals.ts";
import { SignalSocket } from "./socket.client.ts";

const DASHBOARD = "/dashboard";
const LAY_ANEW_MS = 1500;
const END_PATIENCE_MS = 4000;

/**
 * One visit in this page: its devices, its place in the room and the line to the other side. Until `join` nothing of
 * camera or microphone can leave: there is no line to send it over. `release` lets go of everything, at once.
 */
export class Call {
  state: CallState;
  private readonly facts: CallFacts;
  private readonly listeners = new Set<() => void>();
  private readonly media: OwnMedia;
  private readonly socket: SignalSocket;
  private readonly page = crypto.randomUUID();
  private peer: Peer | null = null;
  private otherPage: string | null = null;
  private readonly servers: IceServers;
  private watch: LineWatch | null = null;
  private readonly patience = new Patience(() => this.say({ isStuck: true }));
  private isReleased = false;

  constructor(facts: CallFacts) {
    this.facts = facts;
    this.servers = new IceServers(facts);
    this.media = new OwnMedia(() => this.followMedia());
    this.state = startingState(this.media.state);
    this.socket = new SignalSocket({
      appointmentId: facts.id,
      page: this.page,
      heard: (signal) => this.hear(signal),
      changed: (isOnline) => this.say({ isOnline }),
      shut: (code, reason) => this.shut(code, reason),
    });
    void this.media.open();
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  join(): void {
    this.say({ stage: "room" });
    this.socket.join();
  }

  toggle(kind: Kind): void {
    const isOn = this.state.media[kind] === "on";
    void (kind === "camera" ? this.media.setCamera(!isOn) : this.media.setMicrophone(!isOn));
  }

  choose(kind: Kind, id: string): void {
    void (kind === "camera" ? this.media.chooseCamera(id) : this.media.chooseMicrophone(id));
  }

  flip(): void {
    void this.media.flip();
  }

  get microphone(): MediaStreamTrack | null {
    return this.media.audio;
  }

  chat(text: string): void {
    const isSent = this.state.isOtherPresent && this.socket.send({ type: "chat", payload: { text } });
    this.note({ isOwn: true, text, isLost: !isSent });
  }

  /** A family goes and may come back; the consultant ends it for both. */
  leave(): void {
    if (this.facts.role === "client") {
      this.socket.send({ type: "leave-room" });
      return this.finish();
    }
    this.letGo();
    this.say({ stage: "ending" });
    this.socket.send({ type: "end-call" });
    setTimeout(() => this.finish(), END_PATIENCE_MS);
  }

  release(): void {
    this.isReleased = true;
    this.letGo();
    this.socket.close();
    this.listeners.clear();
  }

  private hear(signal: ServerSignal) {
    const { stage } = this.state;
    if (signal.type === "call-ended") return stage === "waiting" ? undefined : this.finish();
    if (signal.type === "error") return this.say({ trouble: signal.payload.message });
    // The consultant's wish to end the call was lost with the line: it is said again before anything else.
    if (stage === "ending") return signal.type === "joined" ? void this.socket.send({ type: "end-call" }) : undefined;
    if (signal.type === "joined") {
      const { present, otherPage, waiting } = signal.payload;
      this.say({ isOtherPresent: present.some((role) => role !== this.facts.role), trouble: "" });
      if (!waiting && stage === "room" && this.state.isOtherPresent) this.meet(otherPage);
    } else if (signal.type === "user-joined") {
      this.say({ isOtherPresent: true });
      if (stage === "room") this.meet(signal.payload.page);
    } else if (signal.type === "user-left") {
      this.say({ isOtherPresent: false });
      if (this.peer?.link !== "connected") this.hangUp();
    } else if (stage === "room") this.relay(signal);
  }

  private relay(signal: RelayedSignal) {
    if (signal.type === "chat") return this.note({ isOwn: false, text: signal.payload.text, isLost: false });
    if (signal.type === "ice-candidate") {
      return void this.peer?.receive({ type: "ice-candidate", payload: signal.payload ?? null });
    }
    if (signal.type === "offer" && !this.peer?.isFrom(signal.payload)) {
      this.lay();
      // This side begins a line of its own; the offer belongs to one that is gone.
      if (this.facts.role === "admin") return;
    }
    void this.peer?.receive(signal);
  }

  /** The other side sits down. The same page is where it was; another one needs a line of its own. */
  private meet(page: string | null) {
    if (this.peer && this.otherPage === page) return void this.peer.resume().catch(() => undefined);
    this.hangUp();
    this.patience.start();
    this.otherPage = page;
    // The consultant's side begins; the family's takes the line up when it is offered.
    if (this.facts.role === "admin") this.lay();
  }

  private lay() {
    this.hangUp();
    const peer: Peer = new Peer({
      isPolite: this.facts.role === "client",
      servers: this.servers.current,
      freshServers: () => this.servers.fresh(),
      tracks: { audio: this.media.audio, video: this.media.video },
      send: (signal) => void this.socket.send(signal),
      changed: () => this.peer === peer && this.followPeer(peer),
      ended: (why) => this.peer === peer && this.lose(why),
    });
    this.peer = peer;
    this.watch = new LineWatch(
      peer,
      () => this.media.video !== null,
      (judged) => this.peer === peer && this.judge(judged),
    );
    this.followMedia();
    this.followPeer(peer);
    this.patience.start();
  }

  private lose(why: "hung-up" | "replaced") {
    this.hangUp();
    const layAnew = () => {
      if (!this.peer && !this.isReleased && this.state.isOtherPresent && this.state.stage === "room") this.lay();
    };
    if (this.facts.role !== "admin") return;
    if (why === "replaced") layAnew();
    else setTimeout(layAnew, LAY_ANEW_MS);
  }

  private hangUp() {
    this.watch?.stop();
    this.peer?.close();
    this.peer = null;
    this.patience.end();
    const togetherSince = this.state.isOtherPresent ? this.state.togetherSince : null;
    this.say({ link: null, remote: null, other: null, isStuck: false, isPaused: false, togetherSince });
  }

  private followPeer({ link, other, remote }: Peer) {
    const { togetherSince } = this.state;
    const { link: before } = this.state;
    const wasLong = link === "connected" && this.patience.end();
    if (link !== "connected" && before === "connected") this.patience.start();
    // After a long gap Chromium may go on showing the last picture, though it decodes new ones: a new line shows them.
    if (wasLong && before === "interrupted" && this.facts.role === "admin") return this.lay();
    this.say({
      link,
      other,
      remote,
      isStuck: link !== "connected" && this.state.isStuck,
      togetherSince: togetherSince ?? (link === "connected" ? Date.now() : null),
    });
  }

  private followMedia() {
    const { video, audio, state } = this.media;
    const shown = this.state.ownPicture?.getVideoTracks()[0] ?? null;
    const ownPicture = shown === video ? this.state.ownPicture : video && new MediaStream([video]);
    this.say({ media: state, ownPicture });
    void this.peer?.setTrack("video", video).catch(() => undefined);
    void this.peer?.setTrack("audio", audio).catch(() => undefined);
    this.peer?.tell(presenceOf(this.state));
  }

  private judge({ quality, isPaused }: Pick<CallState, "quality" | "isPaused">) {
    const isNew = isPaused !== this.state.isPaused;
    this.say({ quality, isPaused });
    if (isNew) this.followMedia();
  }

  private shut(code: number, reason: string) {
    if (code === CLOSED.ended) return this.finish();
    const stage: Stage = code === CLOSED.replaced ? "moved" : "shut";
    this.letGo();
    this.say({ stage, trouble: reason || this.state.trouble });
  }

  private note(message: Omit<Message, "id">) {
    this.say({ messages: withMessage(this.state.messages, message) });
  }

  private letGo() {
    this.hangUp();
    this.media.close();
    this.say({ ownPicture: null });
  }

  private finish() {
    if (this.isReleased) return;
    this.say({ stage: "over" });
    this.release();
    // A whole new page: nothing of this one, nor its right to camera and microphone, goes along.
    window.location.assign(DASHBOARD);
  }

  private say(change: Partial<CallState>) {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}
