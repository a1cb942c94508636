import type { Request, Response } from "express";
import { now } from "../clock.ts";
import { DAY_MS } from "../time-units.ts";
import { env } from "../env.server.ts";

export const SECURITY_TXT_PATH = "/.well-known/security.txt";

/** How long the file is valid, in days. RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

/** Responds with the contact for security reports (RFC 9116): the practice's own email address, valid for 180 days. */
export function securityTxtHandler(_request: Request, response: Response): void {
  const expires = new Date(now().getTime() + VALID_DAYS * DAY_MS);
  expires.setUTCHours(0, 0, 0, 0);
  const lines = [
    `Contact: mailto:${encodeURI(env.practice.email)}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${env.origin}${SECURITY_TXT_PATH}`,
  ];
  response
    .set("Cache-Control", "public, max-age=86400")
    .type("text/plain; charset=utf-8")
    .send(`${lines.join("\n")}\n`);
}
