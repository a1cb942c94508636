import { SerialQueue } from "../serial-queue.ts";
import { videoConstraints, audioConstraints, nextCamera } from "./media-constraints.ts";

export type DeviceKind = "camera" | "microphone";
/** `off` can be switched on; `refused` was denied or is in use elsewhere; of `missing` there is none. */
type MediaFailure = "denied" | "missing";
export type DeviceState = "requesting" | "on" | "off" | MediaFailure;

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

const INITIAL_STATE: MediaState = {
  camera: "requesting",
  microphone: "requesting",
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
export class LocalMedia {
  video: MediaStreamTrack | null = null;
  audio: MediaStreamTrack | null = null;
  state = INITIAL_STATE;
  private readonly onChange: () => void;
  private readonly queue = new SerialQueue();
  private isClosed = false;
  private readonly onDeviceChange = () => void this.readDevices();

  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  /** Asks for both at once, so that a person is asked once; then for each, so that one can do without the other. */
  open(): Promise<void> {
    return this.enqueue(async () => {
      navigator.mediaDevices?.addEventListener("devicechange", this.onDeviceChange);
      const both = await this.requestMedia({ video: videoConstraints({}), audio: audioConstraints("") });
      const requestIfMissing = async (constraints: MediaStreamConstraints) =>
        both instanceof MediaStream ? both : this.requestMedia(constraints);
      const camera = await requestIfMissing({ video: videoConstraints({}) });
      const microphone = await requestIfMissing({ audio: audioConstraints("") });
      this.applyCamera(camera);
      this.applyMicrophone(microphone);
      await this.readDevices();
    });
  }

  setCamera(on: boolean): Promise<void> {
    return this.enqueue(async () => {
      if (on === (this.video !== null)) return;
      if (on) return this.openCamera({ deviceId: this.state.cameraId });
      this.stopTrack("video");
      this.setState({ camera: "off" });
    });
  }

  setMicrophone(on: boolean): Promise<void> {
    return this.enqueue(async () => {
      if (on && !this.audio) return this.openMicrophone(this.state.microphoneId);
      if (this.audio) this.audio.enabled = on;
      if (this.audio) this.setState({ microphone: on ? "on" : "off" });
    });
  }

  /** The other side of a phone, or the next camera. A phone has only one open at a time: the old one goes first. */
  flip(): Promise<void> {
    return this.enqueue(async () => {
      const facingMode = this.video?.getSettings().facingMode;
      const request = facingMode
        ? { facingMode: facingMode === "environment" ? "user" : "environment" }
        : { deviceId: nextCamera(this.state.cameras, this.state.cameraId) };
      await this.openCamera(request);
    });
  }

  chooseCamera(deviceId: string): Promise<void> {
    return this.enqueue(() => this.openCamera({ deviceId }));
  }

  chooseMicrophone(deviceId: string): Promise<void> {
    return this.enqueue(() => this.openMicrophone(deviceId));
  }

  close(): void {
    this.isClosed = true;
    navigator.mediaDevices?.removeEventListener("devicechange", this.onDeviceChange);
    this.stopTrack("video");
    this.stopTrack("audio");
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    return this.queue.run(() => (this.isClosed ? undefined : task())).catch(() => undefined);
  }

  private async openCamera(request: { deviceId?: string; facingMode?: string }) {
    this.stopTrack("video");
    this.applyCamera(await this.requestMedia({ video: videoConstraints(request) }));
    await this.readDevices();
  }

  private async openMicrophone(deviceId: string) {
    const wasMuted = this.state.microphone === "off" && this.audio !== null;
    this.stopTrack("audio");
    this.applyMicrophone(await this.requestMedia({ audio: audioConstraints(deviceId) }));
    if (wasMuted && this.audio) {
      this.audio.enabled = false;
      this.setState({ microphone: "off" });
    }
    await this.readDevices();
  }

  private async requestMedia(constraints: MediaStreamConstraints): Promise<MediaStream | MediaFailure> {
    // Pages that did not come over https have no devices at all.
    const result = (await navigator.mediaDevices?.getUserMedia(constraints).catch(toMediaFailure)) ?? "missing";
    if (!this.isClosed || !(result instanceof MediaStream)) return result;
    for (const track of result.getTracks()) track.stop();
    return "denied";
  }

  private applyCamera(result: MediaStream | MediaFailure) {
    const [track] = result instanceof MediaStream ? result.getVideoTracks() : [];
    this.video = track ?? null;
    if (!this.video) return this.setState({ camera: result === "missing" ? result : "denied" });
    const { deviceId = "", facingMode } = this.video.getSettings();
    this.video.addEventListener("ended", () => this.onTrackEnded("video"), { once: true });
    this.setState({ camera: "on", cameraId: deviceId, isMirrored: facingMode !== "environment" });
  }

  private applyMicrophone(result: MediaStream | MediaFailure) {
    const [track] = result instanceof MediaStream ? result.getAudioTracks() : [];
    this.audio = track ?? null;
    if (!this.audio) return this.setState({ microphone: result === "missing" ? result : "denied" });
    this.audio.addEventListener("ended", () => this.onTrackEnded("audio"), { once: true });
    this.setState({ microphone: "on", microphoneId: this.audio.getSettings().deviceId ?? "" });
  }

  /** Pulled out, or taken away by the system; our own stopping fires no event. */
  private onTrackEnded(kind: "video" | "audio") {
    this.stopTrack(kind);
    this.setState(kind === "video" ? { camera: "denied", cameraId: "" } : { microphone: "denied", microphoneId: "" });
    void this.readDevices();
  }

  private stopTrack(kind: "video" | "audio") {
    this[kind]?.stop();
    this[kind] = null;
  }

  private async readDevices() {
    const devices = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? [];
    const toOptions = (kind: MediaDeviceKind, word: string) =>
      devices
        .filter((device) => device.kind === kind && device.deviceId !== "")
        .map(({ deviceId, label }, index) => ({ id: deviceId, label: label || `${word} ${index + 1}` }));
    this.setState({ cameras: toOptions("videoinput", "Camera"), microphones: toOptions("audioinput", "Microphone") });
  }

  private setState(patch: Partial<MediaState>) {
    if (this.isClosed) return;
    this.state = { ...this.state, ...patch };
    this.onChange();
  }
}

/** Why there is nothing: an exact device that was pulled out since counts as none, too. */
function toMediaFailure(error: unknown): MediaFailure {
  const isMissing = error instanceof DOMException && ["NotFoundError", "OverconstrainedError"].includes(error.name);
  return isMissing ? "missing" : "denied";
}
