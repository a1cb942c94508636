export function sum(all: readonly number[]): number {
  return all.reduce((total, each) => total + each, 0);
}
