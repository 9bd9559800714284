import { DEEPEST, DEEP, describeStep, makeProgram, PAYEES, random, STEP_KINDS, STRANGER } from './program.js';

describe('a program of the chain fuzz', () => {
  it('is equal for equal seeds and different for the next seed', () => {
    const text = (seed: number) => makeProgram(seed, 50).map(describeStep).join('\n');
    expect(text(7)).toBe(text(7));
    expect(text(7)).not.toBe(text(8));
    expect(text(7).split('\n')).toHaveLength(50);
  });

  it('has every kind of step, and reorgs of 1 to 100 blocks, mostly small ones', () => {
    const steps = Array.from({ length: 1_000 }, (_, seed) => makeProgram(seed, 100)).flat();
    expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(STEP_KINDS));
    const depths = steps.filter(({ kind }) => kind.includes('reorg')).map(({ depth }) => depth);
    expect(Math.min(...depths)).toBe(1);
    expect(Math.max(...depths)).toBe(DEEPEST);
    const deep = depths.filter((depth) => depth >= DEEP).length;
    expect(deep / depths.length).toBeGreaterThan(0.02);
    expect(deep / depths.length).toBeLessThan(0.1);
  });

  it('pays its payments and foreign addresses in full, in part, or with tiny amounts', () => {
    const parts = Array.from({ length: 50 }, (_, seed) => makeProgram(seed, 100))
      .flat()
      .flatMap((step) => step.parts);
    expect(new Set(parts.map(({ payee }) => payee)).size).toBe(PAYEES + 1);
    expect(parts.some(({ payee }) => payee === STRANGER)).toBe(true);
    expect(parts.every(({ share, dust }) => share > 0 || dust > 0)).toBe(true);
    expect(parts.some(({ share, dust }) => share === 1_000 && dust === 0)).toBe(true);
  });

  it('draws every number below the requested limit', () => {
    const pick = random(1);
    const drawn = Array.from({ length: 500 }, () => pick(7));
    expect(new Set(drawn)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
  });
});
