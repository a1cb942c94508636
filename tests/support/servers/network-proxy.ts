import { createSocket, type RemoteInfo, type Socket as Datagrams } from "node:dgram";
import { connect, createServer, type Socket } from "node:net";

const HOST = "127.0.0.1";

/**
 * A network between browsers and this machine that can be cut: TCP to one port, UDP to another. While it is cut nothing
 * gets through either way and nothing is refused, as when a train enters a tunnel.
 */
export async function startNetworkProxy({ tcp, udp }: { tcp: number; udp: number }) {
  let isCut = false;
  const streams = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(tcp, HOST);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      streams.add(one);
      one.on("data", (part) => void other.write(part));
      one.on("error", () => other.destroy());
      one.on("close", () => {
        streams.delete(one);
        other.end();
      });
      if (isCut) one.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const udpSocket = createSocket("udp4");
  await new Promise<void>((resolve) => udpSocket.bind(0, HOST, resolve));
  const udpReturns = new Map<string, Datagrams>();
  udpSocket.on("message", (part, from) => {
    if (!isCut) udpReturnFor(from).send(part, udp, HOST);
  });

  function udpReturnFor(from: RemoteInfo): Datagrams {
    const key = `${from.address}:${from.port}`;
    const known = udpReturns.get(key);
    if (known) return known;
    const udpReturn = createSocket("udp4").on("message", (part) => {
      if (!isCut) udpSocket.send(part, from.port, from.address);
    });
    udpReturns.set(key, udpReturn);
    return udpReturn;
  }

  const address = server.address();
  return {
    tcp: typeof address === "object" && address ? address.port : 0,
    udp: udpSocket.address().port,
    cut: () => {
      isCut = true;
      for (const stream of streams) stream.pause();
    },
    restore: () => {
      isCut = false;
      for (const stream of streams) stream.resume();
    },
    stop: () => {
      for (const stream of streams) stream.destroy();
      server.close();
      udpSocket.close();
      for (const back of udpReturns.values()) back.close();
    },
  };
}
