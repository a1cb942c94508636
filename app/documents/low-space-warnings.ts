const LOW_SPACE_SHARE = 0.1;

/**
 * Returns a warning for the administrator's dashboard if little of the space for documents is free. Empty for a storage
 * of unknown size.
 */
export function lowSpaceWarnings({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): string[] {
  const freeShare = totalBytes > 0 ? freeBytes / totalBytes : 1;
  const warning = `Only ${Math.floor(freeShare * 100)} % of the space for documents is free. Ask the person who installed this site for more.`;
  return freeShare < LOW_SPACE_SHARE ? [warning] : [];
}
