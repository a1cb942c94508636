/** What is asked of a browser for a visit, and which camera comes next. */

const PICTURE = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } };

export function cameraWish({ deviceId, facingMode = "user" }: { deviceId?: string; facingMode?: string }) {
  return deviceId ? { ...PICTURE, deviceId: { exact: deviceId } } : { ...PICTURE, facingMode };
}

export function micWish(deviceId: string) {
  const clear = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  return deviceId ? { ...clear, deviceId: { exact: deviceId } } : clear;
}

/** The camera after the one in use, in the order the browser names them; the first after the last. */
export function nextCamera(cameras: readonly { id: string }[], current: string): string {
  const at = cameras.findIndex(({ id }) => id === current);
  return cameras[(at + 1) % Math.max(cameras.length, 1)]?.id ?? "";
}
