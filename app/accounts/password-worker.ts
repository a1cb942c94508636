import { compareSync, hashSync } from "bcryptjs";

export type PasswordTask =
  | { do: "hash"; password: string; cost: number }
  | { do: "compare"; password: string; hash: string };

/** Runs in a thread of its own. */
export default function work(task: PasswordTask): string | boolean {
  return task.do === "hash" ? hashSync(task.password, task.cost) : compareSync(task.password, task.hash);
}
