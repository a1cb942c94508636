/** The DTLS fingerprint of a session description: each peer connection has its own. Empty if there is none. */
export function fingerprint(sdp: string | undefined): string {
  return /^a=fingerprint:(\S+ \S+)/m.exec(sdp ?? "")?.[1]?.toUpperCase() ?? "";
}

/** The ICE user name fragment of a session description: an ICE restart gives a new one. Empty if there is none. */
export function iceUserNameFragment(sdp: string | undefined): string {
  return /^a=ice-ufrag:(\S+)/m.exec(sdp ?? "")?.[1] ?? "";
}
