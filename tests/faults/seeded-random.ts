/** The same seed gives the same run of chance (mulberry32). */
export function seededRandom(seed: number) {
  let state = seed >>> 0;
  const chance = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(all: readonly T[]): T => all[Math.floor(chance() * all.length)] as T;
  return { chance, pick };
}
