import { randomInt } from 'node:crypto';

/** Of this environment variable, to run one failure again, or a new one; it is printed. */
export function seedOf(variable: string): number {
  const seed = Number(process.env[variable] ?? randomInt(2 ** 31));
  process.stdout.write(`${variable}=${seed}\n`);
  return seed;
}

/** The same numbers for the same seed (mulberry32); each below its bound. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
