/**
 * Returns the DTLS fingerprint of a session description, which differs for each peer connection; empty if there is
 * none.
 */
export function parseDtlsFingerprint(sdp: string | undefined): string {
  return /^a=fingerprint:(\S+ \S+)/m.exec(sdp ?? "")?.[1]?.toUpperCase() ?? "";
}

/** Returns the ICE username fragment of a session description, which an ICE restart changes; empty if there is none. */
export function parseIceUsernameFragment(sdp: string | undefined): string {
  return /^a=ice-ufrag:(\S+)/m.exec(sdp ?? "")?.[1] ?? "";
}
