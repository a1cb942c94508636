import type { TaskQueue } from "piscina";

type Task = Parameters<TaskQueue["push"]>[0];

/** How many passwords of one address, of its /56 and of its /48 may wait at once. */
const MAX_WAITING = [10, 20, 30];

/**
 * The passwords that wait to be hashed. Networks take turns, so that one that sends many waits for itself and for
 * nobody else. `networksOf` names the networks of a task, narrowest first.
 */
export class PasswordQueue implements TaskQueue {
  private readonly waiting = new Map<string, Task[]>();
  private readonly networksOf: (task: Task) => readonly string[];

  constructor(networksOf: (task: Task) => readonly string[]) {
    this.networksOf = networksOf;
  }

  get size(): number {
    let size = 0;
    for (const tasks of this.waiting.values()) size += tasks.length;
    return size;
  }

  push(task: Task): void {
    const key = this.keyOf(task);
    this.waiting.set(key, [...(this.waiting.get(key) ?? []), task]);
  }

  /** Puts back what no thread took. */
  unshift(task: Task): void {
    const key = this.keyOf(task);
    const others = [...this.waiting].filter(([each]) => each !== key);
    const own = [task, ...(this.waiting.get(key) ?? [])];
    this.waiting.clear();
    for (const [each, tasks] of [[key, own] as const, ...others]) this.waiting.set(each, tasks);
  }

  /** The longest waiting task of the network whose turn it is, which goes to the end of the line. */
  shift(): Task | null {
    const [key, tasks = []] = this.waiting.entries().next().value ?? [];
    const [first, ...others] = tasks;
    if (key === undefined || !first) return null;
    this.waiting.delete(key);
    if (others.length > 0) this.waiting.set(key, others);
    return first;
  }

  remove(task: Task): void {
    const key = this.keyOf(task);
    const others = (this.waiting.get(key) ?? []).filter((each) => each !== task);
    if (others.length > 0) this.waiting.set(key, others);
    else this.waiting.delete(key);
  }

  /** Whether one of these networks has as many tasks waiting as it may. */
  isFullFor(networks: readonly string[]): boolean {
    const tasks = [...this.waiting.values()].flat();
    return networks.some((network, level) => {
      const count = tasks.filter((task) => this.networksOf(task)[level] === network).length;
      return count >= (MAX_WAITING[level] ?? 0);
    });
  }

  private keyOf(task: Task): string {
    return this.networksOf(task).at(-1) ?? "";
  }
}
