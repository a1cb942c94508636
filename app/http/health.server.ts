import type { Request, Response } from "express";
import { databaseAnswers } from "../db.server.ts";
import { noteRoute } from "./log.server.ts";

type Check = () => Promise<boolean>;

const checks = new Map<string, Check>([["database", databaseAnswers]]);

/** One more thing that the process can't do without. */
export function alsoCheck(name: string, check: Check): void {
  checks.set(name, check);
}

const READINESS_MS = 1_000;

type Answers = (readonly [string, boolean])[];
let recent: { asked: number; answers: Promise<Answers> } | null = null;

/** Whoever asks again and again, or a thousand at once, is told what was found out within the last second. */
function recentAnswers(): Promise<Answers> {
  const asked = performance.now();
  if (recent && asked - recent.asked < READINESS_MS) return recent.answers;
  const ask = async ([name, check]: [string, Check]) => [name, await check().catch(() => false)] as const;
  recent = { asked, answers: Promise.all([...checks].map(ask)) };
  return recent.answers;
}

/** `/healthz` says that the process lives, `/readyz` that what it depends on answers too. Under any Host. */
export async function answerHealth(request: Request, response: Response): Promise<void> {
  response.set("Cache-Control", "no-store");
  noteRoute(request, request.path);
  if (request.path === "/healthz") {
    response.json({ status: "ok" });
    return;
  }
  const answers = await recentAnswers();
  const isReady = answers.every(([, answer]) => answer);
  response.status(isReady ? 200 : 503).json({ status: isReady ? "ok" : "unavailable", ...Object.fromEntries(answers) });
}
