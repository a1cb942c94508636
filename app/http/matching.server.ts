import { env } from "../env.server.ts";

const isPostgres = env.databaseUrl.startsWith("postgres");

/** A condition of Prisma's: the text holds `word`, capitals or not (SQLite compares so by itself, for A to Z). */
export function holding(word: string): { contains: string } {
  return isPostgres ? ({ contains: word, mode: "insensitive" } as { contains: string }) : { contains: word };
}
