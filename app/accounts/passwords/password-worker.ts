import { compareSync, hashSync } from "bcryptjs";

export type PasswordTask =
  | { type: "hash"; password: string; cost: number }
  | { type: "compare"; passwords: string[]; hash: string };

/** Runs in a thread of its own. Compares every form of a password, also after one that matches: all take the same time. */
export default function runPasswordTask(task: PasswordTask): string | boolean {
  if (task.type === "hash") return hashSync(task.password, task.cost);
  return task.passwords.filter((password) => compareSync(password, task.hash)).length > 0;
}
