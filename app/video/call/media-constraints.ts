const BASE_VIDEO_CONSTRAINTS = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } };

export function videoConstraints({ deviceId, facingMode = "user" }: { deviceId?: string; facingMode?: string }) {
  return deviceId
    ? { ...BASE_VIDEO_CONSTRAINTS, deviceId: { exact: deviceId } }
    : { ...BASE_VIDEO_CONSTRAINTS, facingMode };
}

export function audioConstraints(deviceId: string) {
  const audioProcessing = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  return deviceId ? { ...audioProcessing, deviceId: { exact: deviceId } } : audioProcessing;
}
