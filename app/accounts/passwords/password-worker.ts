import { compareSync, hashSync } from "bcryptjs";

export type PasswordTask =
  | { type: "hash"; password: string; cost: number }
  | { type: "compare"; passwords: string[]; hash: string };

/**
 * Hashes or compares a password in a worker thread. Compares all forms of a password even after a match, so that the
 * time is constant.
 */
export default function runPasswordTask(task: PasswordTask): string | boolean {
  if (task.type === "hash") return hashSync(task.password, task.cost);
  return task.passwords.filter((password) => compareSync(password, task.hash)).length > 0;
}
