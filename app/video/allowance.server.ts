/** A frame costs one point, and one more for each of these. */
const BYTES_PER_POINT = 2_048;

type Terms = { most: number; perSecond: number };

/** Far above what a call needs (some forty candidates at once, then silence), far below what a flood is. Measurements lift them. */
export const ALLOWANCES: Record<"line" | "person", Terms> = {
  line: { most: 300, perSecond: 60 },
  /** all sockets of one person together */
  person: { most: 900, perSecond: 180 },
};

/** So many points at once, and so many more each second: a frame costs one, and more when it is long. */
export class Allowance {
  private readonly most: number;
  private readonly perMs: number;
  private points: number;
  private countedAt = 0;

  constructor({ most, perSecond }: Terms) {
    this.most = most;
    this.perMs = perSecond / 1000;
    this.points = most;
  }

  /** Takes what a frame of so many bytes costs; false when that is more than is left. `time` in milliseconds, of any clock. */
  takes(bytes: number, time: number): boolean {
    this.points = Math.min(this.most, this.points + (time - this.countedAt) * this.perMs);
    this.countedAt = time;
    this.points -= 1 + bytes / BYTES_PER_POINT;
    return this.points >= 0;
  }
}
