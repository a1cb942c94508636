const VIDEO_SIZE = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } };

export function videoConstraints({ deviceId, facingMode = "user" }: { deviceId?: string; facingMode?: string }) {
  return deviceId ? { ...VIDEO_SIZE, deviceId: { exact: deviceId } } : { ...VIDEO_SIZE, facingMode };
}

export function audioConstraints(deviceId: string) {
  const processing = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  return deviceId ? { ...processing, deviceId: { exact: deviceId } } : processing;
}
