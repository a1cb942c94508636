/** Returns the id of the camera after `current` in the browser's order, wrapping around; empty without cameras. */
export function nextCameraId(cameras: readonly { id: string }[], current: string): string {
  const currentIndex = cameras.findIndex(({ id }) => id === current);
  return cameras[(currentIndex + 1) % Math.max(cameras.length, 1)]?.id ?? "";
}
