import { SerialQueue } from "../../serial-queue.ts";
import { nextCameraId } from "./camera-cycle.ts";
import { videoConstraints, audioConstraints } from "./media-constraints.ts";

/**
 * `off`: can be switched on. `denied`: not permitted, or in use by another program. `missing`: there is no such device.
 */
type MediaFailure = "denied" | "missing";
export type DeviceState = "requesting" | "on" | "off" | MediaFailure;

export type MediaState = {
  camera: DeviceState;
  microphone: DeviceState;
  cameras: { id: string; label: string }[];
  microphones: { id: string; label: string }[];
  cameraId: string;
  microphoneId: string;
  /** Whether the person's own video is mirrored: true unless the camera faces away from the person. */
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
 * The camera and microphone of this device. Switching the camera off stops its track, so that the camera's light turns
 * off. A muted microphone stays open, so that unmuting takes effect immediately. Requests run one at a time. Tracks
 * that the browser delivers after `close` are stopped immediately.
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

  /**
   * Requests camera and microphone together, for a single prompt. If that fails, requests each one separately, so that
   * one works without the other.
   */
  open(): Promise<void> {
    return this.enqueue(async () => {
      navigator.mediaDevices?.addEventListener("devicechange", this.onDeviceChange);
      const combinedResult = await this.requestMedia({ video: videoConstraints({}), audio: audioConstraints("") });
      const requestIfMissing = async (constraints: MediaStreamConstraints) =>
        combinedResult instanceof MediaStream ? combinedResult : this.requestMedia(constraints);
      const camera = await requestIfMissing({ video: videoConstraints({}) });
      const microphone = await requestIfMissing({ audio: audioConstraints("") });
      this.applyCamera(camera);
      this.applyMicrophone(microphone);
      await this.readDevices();
    });
  }

  setCamera(isOn: boolean): Promise<void> {
    return this.enqueue(async () => {
      if (isOn === (this.video !== null)) return;
      if (isOn) return this.openCamera({ deviceId: this.state.cameraId });
      this.stopTrack("video");
      this.setState({ camera: "off" });
    });
  }

  setMicrophone(isOn: boolean): Promise<void> {
    return this.enqueue(async () => {
      if (isOn && !this.audio) return this.openMicrophone(this.state.microphoneId);
      if (this.audio) this.audio.enabled = isOn;
      if (this.audio) this.setState({ microphone: isOn ? "on" : "off" });
    });
  }

  /**
   * Switches to a phone's opposite camera, otherwise to the next camera. The current camera stops first, because phones
   * can open only one at a time.
   */
  flip(): Promise<void> {
    return this.enqueue(async () => {
      const facingMode = this.video?.getSettings().facingMode;
      const request = facingMode
        ? { facingMode: facingMode === "environment" ? "user" : "environment" }
        : { deviceId: nextCameraId(this.state.cameras, this.state.cameraId) };
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
    // mediaDevices is undefined on pages without https.
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

  /** Handles that the device was unplugged or taken over by the system. `track.stop()` does not fire this event. */
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
    const toOptions = (kind: MediaDeviceKind, name: string) =>
      devices
        .filter((device) => device.kind === kind && device.deviceId !== "")
        .map(({ deviceId, label }, index) => ({ id: deviceId, label: label || `${name} ${index + 1}` }));
    this.setState({ cameras: toOptions("videoinput", "Camera"), microphones: toOptions("audioinput", "Microphone") });
  }

  private setState(patch: Partial<MediaState>) {
    if (this.isClosed) return;
    this.state = { ...this.state, ...patch };
    this.onChange();
  }
}

/** Maps an error of getUserMedia to a `MediaFailure`. A selected device that has been unplugged is also `missing`. */
function toMediaFailure(error: unknown): MediaFailure {
  const isMissing = error instanceof DOMException && ["NotFoundError", "OverconstrainedError"].includes(error.name);
  return isMissing ? "missing" : "denied";
}
