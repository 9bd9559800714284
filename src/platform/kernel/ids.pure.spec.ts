import { deterministicId, firstIdOf, newId, UUID } from './ids.pure.js';

const at = (ms: number) => new Date(Date.UTC(2030, 0, 1) + ms);
const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('newId', () => {
  it('ascends, also within a millisecond and beyond 4,096 ids in it', () => {
    const ids = Array.from({ length: 10_000 }, () => newId(at(0)));
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => UUID.test(id))).toBe(true);
  });

  it('tells nobody how many ids were made for others in the same millisecond', () => {
    const counterOf = (id: string) => Number.parseInt(id.slice(15, 18), 16);
    const firsts = new Set<number>();
    const distances = new Set<number>();
    for (let ms = 0; ms < 200; ms++) {
      const [first, second] = [newId(at(1_000 + ms)), newId(at(1_000 + ms))].map(counterOf);
      firsts.add(first ?? -1);
      distances.add((second ?? 0) - (first ?? 0));
    }
    expect(firsts.size).toBeGreaterThan(100);
    expect(distances.size).toBeGreaterThan(8);
  });

  it('ascends while a clock is set back a little', () => {
    const later = newId(at(50_000));
    expect(newId(at(0)) > later).toBe(true);
  });

  it('follows the clock again after it was set back far', () => {
    newId(at(3_600_000));
    expect(timeOf(newId(at(0)))).toBe(at(0).getTime());
  });
});

describe('firstIdOf', () => {
  it('is greater than every earlier id, and not greater than those of the same millisecond', () => {
    const [before, then] = [newId(at(7_200_000)), newId(at(7_200_001))];
    const bound = firstIdOf(at(7_200_001));
    expect(before < bound && bound <= then).toBe(true);
    expect(bound).toMatch(UUID);
  });
});

describe('deterministicId', () => {
  it('is equal for equal names and different for different ones', () => {
    expect(deterministicId('a')).toBe(deterministicId('a'));
    expect(deterministicId('a')).not.toBe(deterministicId('b'));
    expect(deterministicId('a')).toMatch(UUID);
  });
});
