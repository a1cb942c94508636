// Proves how many concurrent requests one visitor behind a proxy may have.
import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("visitors");
const settings = {
  APP_ORIGIN: "https://practice.example",
  PAYMENTS: "off",
  RATE_LIMITS: "on",
  VISITOR_ADDRESS_HEADER: "X-Real-IP",
};
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder), settings);
const { admitRequestOfClientIp, reserveClientIpSlot } = await import("../../app/http/in-flight-requests.server.ts");

function requestFrom(ip: string) {
  const request = { url: "/", headers: { "x-real-ip": ip }, socket: {} } as unknown as IncomingMessage;
  const answer: { status?: number; headers?: Record<string, string> } = {};
  const response = Object.assign(new EventEmitter(), {
    hasHeader: () => true,
    setHeader: () => {},
    writeHead: (status: number, headers: Record<string, string>) => Object.assign(answer, { status, headers }),
    end: () => {},
  }) as unknown as ServerResponse;
  return { response, answer, isTaken: admitRequestOfClientIp(request, response) };
}

test("a visitor may have 100 concurrent requests; the next gets 429 until one ends, and other visitors are served", () => {
  const taken = Array.from({ length: 100 }, () => requestFrom("203.0.113.7"));
  expect(taken.every(({ isTaken }) => isTaken)).toBe(true);
  const next = requestFrom("203.0.113.7");
  expect([next.isTaken, next.answer.status, next.answer.headers?.["Retry-After"]]).toEqual([false, 429, 5]);
  expect(requestFrom("203.0.113.8").isTaken).toBe(true);
  taken[0]?.response.emit("close");
  expect([requestFrom("203.0.113.7").isTaken, requestFrom("203.0.113.7").isTaken]).toEqual([true, false]);
});

test("WebSocket handshakes of a visitor count with the requests until they are answered", () => {
  const handshake = { headers: { "x-real-ip": "203.0.113.9" }, socket: {} } as unknown as IncomingMessage;
  const releases = Array.from({ length: 100 }, () => reserveClientIpSlot(handshake));
  expect([releases.every(Boolean), reserveClientIpSlot(handshake)]).toEqual([true, null]);
  expect(requestFrom("203.0.113.9").isTaken).toBe(false);
  releases[0]?.();
  expect(requestFrom("203.0.113.9").isTaken).toBe(true);
});
