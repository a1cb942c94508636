const GIGABYTE_BYTES = 1_000_000_000;

/** Formats bytes as "0.4 GB" or "12 GB", in decimal units as disks are sold. */
export function formatGigabytes(bytes: number): string {
  const gigabytes = bytes / GIGABYTE_BYTES;
  return `${gigabytes < 10 ? gigabytes.toFixed(1) : Math.floor(gigabytes)} GB`;
}
