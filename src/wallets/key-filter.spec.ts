import { createHash } from 'node:crypto';
import { KeyFilter, MARK_BYTES, MARK_POSITION, SHORTEST_KEY } from './key-filter.js';

const keyOf = (name: string): Buffer => createHash('sha256').update(name).digest().subarray(0, 20);
const keysOf = (kind: string, count: number): Buffer[] =>
  Array.from({ length: count }, (_, i) => keyOf(`${kind} ${i}`));
/** As `substr(key, MARK_POSITION, MARK_BYTES)` returns them, concatenated. */
const marksOf = (keys: readonly Buffer[]): Buffer =>
  Buffer.concat(keys.map((key) => key.subarray(MARK_POSITION - 1, MARK_POSITION - 1 + MARK_BYTES)));

describe('the filter of keys', () => {
  const ours = keysOf('ours', 20_000);
  const filter = new KeyFilter();
  filter.add(marksOf(ours));

  it('passes every key that was added', () => {
    expect(ours.filter((key) => !filter.mayHold(key))).toEqual([]);
  });

  it('refuses almost all other keys', () => {
    expect(keysOf('foreign', 20_000).filter((key) => filter.mayHold(key)).length).toBeLessThan(5);
  });

  it('takes the mark of a script from its hash', () => {
    const script = Buffer.concat([Buffer.from('76a914', 'hex'), keyOf('script'), Buffer.from('88ac', 'hex')]);
    expect(filter.mayHold(script)).toBe(false);
    const another = new KeyFilter();
    another.add(marksOf([script]));
    expect(another.mayHold(script)).toBe(true);
    expect(another.mayHold(keyOf('script'))).toBe(false);
  });

  it.each([0, 1, SHORTEST_KEY - 1])(
    'lets a key of %i bytes pass, which is too short for a mark',
    (length) => {
      expect(new KeyFilter().mayHold(Buffer.alloc(length, 7))).toBe(true);
    },
  );

  it('lets no key pass when it is new, and accepts keys of all zeros and all ones', () => {
    const empty = new KeyFilter();
    const [zeros, ones] = [Buffer.alloc(20, 0), Buffer.alloc(20, 0xff)];
    expect([zeros, ones].map((key) => empty.mayHold(key))).toEqual([false, false]);
    empty.add(marksOf([ones]));
    expect([zeros, ones].map((key) => empty.mayHold(key))).toEqual([false, true]);
  });
});
