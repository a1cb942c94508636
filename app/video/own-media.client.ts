import { cameraWish, micWish, nextCamera } from "./devices.ts";

export type Kind = "camera" | "microphone";
/** `off` can be switched on; `refused` was denied or is in use elsewhere; of `missing` there is none. */
type Lack = "refused" | "missing";
export type DeviceState = "asking" | "on" | "off" | Lack;

export type MediaState = {
  camera: DeviceState;
  microphone: DeviceState;
  cameras: { id: string; label: string }[];
  microphones: { id: string; label: string }[];
  cameraId: string;
  microphoneId: string;
  /** The picture of oneself is mirrored, the room behind the phone is not. */
  isMirrored: boolean;
};

const START: MediaState = {
  camera: "asking",
  microphone: "asking",
  cameras: [],
  microphones: [],
  cameraId: "",
  microphoneId: "",
  isMirrored: true,
};

/**
 * This device's camera and microphone. A camera that is off is let go, so that its light goes out; a muted microphone
 * stays open, because speaking again must not wait. One wish at a time; whatever a browser hands over after `close` is
 * stopped at once.
 */
export class OwnMedia {
  video: MediaStreamTrack | null = null;
  audio: MediaStreamTrack | null = null;
  state = START;
  private readonly changed: () => void;
  private work: Promise<void> = Promise.resolve();
  private isClosed = false;
  private readonly listen = () => void this.readDevices();

  constructor(changed: () => void) {
    this.changed = changed;
  }

  /** Asks for both at once, so that a person is asked once; then for each, so that one can do without the other. */
  open(): Promise<void> {
    return this.inTurn(async () => {
      navigator.mediaDevices?.addEventListener("devicechange", this.listen);
      const both = await this.ask({ video: cameraWish({}), audio: micWish("") });
      const one = async (wish: MediaStreamConstraints) => (both instanceof MediaStream ? both : this.ask(wish));
      const camera = await one({ video: cameraWish({}) });
      const microphone = await one({ audio: micWish("") });
      this.takeCamera(camera);
      this.takeMicrophone(microphone);
      await this.readDevices();
    });
  }

  setCamera(on: boolean): Promise<void> {
    return this.inTurn(async () => {
      if (on === (this.video !== null)) return;
      if (on) return this.openCamera({ deviceId: this.state.cameraId });
      this.drop("video");
      this.say({ camera: "off" });
    });
  }

  setMicrophone(on: boolean): Promise<void> {
    return this.inTurn(async () => {
      if (on && !this.audio) return this.openMicrophone(this.state.microphoneId);
      if (this.audio) this.audio.enabled = on;
      if (this.audio) this.say({ microphone: on ? "on" : "off" });
    });
  }

  /** The other side of a phone, or the next camera. A phone has only one open at a time: the old one goes first. */
  flip(): Promise<void> {
    return this.inTurn(async () => {
      const facing = this.video?.getSettings().facingMode;
      const wish = facing
        ? { facingMode: facing === "environment" ? "user" : "environment" }
        : { deviceId: nextCamera(this.state.cameras, this.state.cameraId) };
      await this.openCamera(wish);
    });
  }

  chooseCamera(deviceId: string): Promise<void> {
    return this.inTurn(() => this.openCamera({ deviceId }));
  }

  chooseMicrophone(deviceId: string): Promise<void> {
    return this.inTurn(() => this.openMicrophone(deviceId));
  }

  close(): void {
    this.isClosed = true;
    navigator.mediaDevices?.removeEventListener("devicechange", this.listen);
    this.drop("video");
    this.drop("audio");
  }

  private inTurn(wish: () => Promise<void>): Promise<void> {
    this.work = this.work.then(() => (this.isClosed ? undefined : wish())).catch(() => undefined);
    return this.work;
  }

  private async openCamera(wish: { deviceId?: string; facingMode?: string }) {
    this.drop("video");
    this.takeCamera(await this.ask({ video: cameraWish(wish) }));
    await this.readDevices();
  }

  private async openMicrophone(deviceId: string) {
    const wasMuted = this.state.microphone === "off" && this.audio !== null;
    this.drop("audio");
    this.takeMicrophone(await this.ask({ audio: micWish(deviceId) }));
    if (wasMuted && this.audio) {
      this.audio.enabled = false;
      this.say({ microphone: "off" });
    }
    await this.readDevices();
  }

  private async ask(wish: MediaStreamConstraints): Promise<MediaStream | Lack> {
    // Pages that did not come over https have no devices at all.
    const answer = (await navigator.mediaDevices?.getUserMedia(wish).catch(lackOf)) ?? "missing";
    if (!this.isClosed || !(answer instanceof MediaStream)) return answer;
    for (const track of answer.getTracks()) track.stop();
    return "refused";
  }

  private takeCamera(answer: MediaStream | Lack) {
    const [track] = answer instanceof MediaStream ? answer.getVideoTracks() : [];
    this.video = track ?? null;
    if (!this.video) return this.say({ camera: answer === "missing" ? answer : "refused" });
    const { deviceId = "", facingMode } = this.video.getSettings();
    this.video.addEventListener("ended", () => this.lost("video"), { once: true });
    this.say({ camera: "on", cameraId: deviceId, isMirrored: facingMode !== "environment" });
  }

  private takeMicrophone(answer: MediaStream | Lack) {
    const [track] = answer instanceof MediaStream ? answer.getAudioTracks() : [];
    this.audio = track ?? null;
    if (!this.audio) return this.say({ microphone: answer === "missing" ? answer : "refused" });
    this.audio.addEventListener("ended", () => this.lost("audio"), { once: true });
    this.say({ microphone: "on", microphoneId: this.audio.getSettings().deviceId ?? "" });
  }

  /** Pulled out, or taken away by the system; our own stopping fires no event. */
  private lost(kind: "video" | "audio") {
    this.drop(kind);
    this.say(kind === "video" ? { camera: "refused", cameraId: "" } : { microphone: "refused", microphoneId: "" });
    void this.readDevices();
  }

  private drop(kind: "video" | "audio") {
    this[kind]?.stop();
    this[kind] = null;
  }

  private async readDevices() {
    const devices = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? [];
    const named = (kind: MediaDeviceKind, word: string) =>
      devices
        .filter((device) => device.kind === kind && device.deviceId !== "")
        .map(({ deviceId, label }, index) => ({ id: deviceId, label: label || `${word} ${index + 1}` }));
    this.say({ cameras: named("videoinput", "Camera"), microphones: named("audioinput", "Microphone") });
  }

  private say(change: Partial<MediaState>) {
    if (this.isClosed) return;
    this.state = { ...this.state, ...change };
    this.changed();
  }
}

/** Why there is nothing: an exact device that was pulled out since counts as none, too. */
function lackOf(error: unknown): Lack {
  const isNone = error instanceof DOMException && ["NotFoundError", "OverconstrainedError"].includes(error.name);
  return isNone ? "missing" : "refused";
}
