const VIDEO_SIZE = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } };

export function videoConstraints({ deviceId, facingMode = "user" }: { deviceId?: string; facingMode?: string }) {
  return deviceId ? { ...VIDEO_SIZE, deviceId: { exact: deviceId } } : { ...VIDEO_SIZE, facingMode };
}

export function audioConstraints(deviceId: string) {
  const processing = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  return deviceId ? { ...processing, deviceId: { exact: deviceId } } : processing;
}

/** Returns the id of the camera after `current` in the browser's order, wrapping around; empty without cameras. */
export function nextCamera(cameras: readonly { id: string }[], current: string): string {
  const currentIndex = cameras.findIndex(({ id }) => id === current);
  return cameras[(currentIndex + 1) % Math.max(cameras.length, 1)]?.id ?? "";
}
