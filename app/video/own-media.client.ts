import { cameraWish, micWish, nextCamera } from "./devices.ts";

export type Kind = "camera" | "microphone";
/** `off` can be switched on; `refused` was denied, is missing or is in use elsewhere. */
export type DeviceState = "asking" | "on" | "off" | "refused";

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
      const camera = both ?? (await this.ask({ video: cameraWish({}) }));
      const microphone = both ?? (await this.ask({ audio: micWish("") }));
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

  private async ask(wish: MediaStreamConstraints): Promise<MediaStream | null> {
    // Pages that did not come over https have no devices at all.
    const stream = await navigator.mediaDevices?.getUserMedia(wish).catch(() => null);
    if (!this.isClosed) return stream ?? null;
    for (const track of stream?.getTracks() ?? []) track.stop();
    return null;
  }

  private takeCamera(stream: MediaStream | null) {
    this.video = stream?.getVideoTracks()[0] ?? null;
    if (!this.video) return this.say({ camera: "refused" });
    const { deviceId = "", facingMode } = this.video.getSettings();
    this.video.addEventListener("ended", () => this.lost("video"), { once: true });
    this.say({ camera: "on", cameraId: deviceId, isMirrored: facingMode !== "environment" });
  }

  private takeMicrophone(stream: MediaStream | null) {
    this.audio = stream?.getAudioTracks()[0] ?? null;
    if (!this.audio) return this.say({ microphone: "refused" });
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
