const LONGEST_MS = 6000;

/** Which ways through the network were found. Only names of ways are asked for: nothing of camera or microphone is sent. */
export type Ways = { direct: boolean; relay: boolean };

/** Asks the STUN servers and the relay for a way through, for 6 s at most. */
export async function findWays(servers: RTCIceServer[]): Promise<Ways> {
  const ways: Ways = { direct: false, relay: false };
  const pc = new RTCPeerConnection({ iceServers: servers, iceCandidatePoolSize: 0 });
  const hasRelay = servers.some(({ urls }) => [urls].flat().some((url) => url.startsWith("turn")));
  try {
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, LONGEST_MS);
      pc.addEventListener("icecandidate", ({ candidate }) => {
        if (!candidate) return resolve();
        if (candidate.type === "srflx" || candidate.type === "prflx") ways.direct = true;
        if (candidate.type === "relay") ways.relay = true;
        if (ways.direct && (ways.relay || !hasRelay)) resolve();
      });
      pc.createDataChannel("check");
      pc.setLocalDescription().catch(reject);
    });
  } finally {
    pc.close();
  }
  return ways;
}
