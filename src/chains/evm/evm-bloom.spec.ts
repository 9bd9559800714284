import fc from 'fast-check';
import { LogFilter } from './evm-bloom.js';

/** go-ethereum, core/types/bloom9_test.go, TestBloom: what was added, and what was not. */
const ADDED = ['testtest', 'test', 'hallo', 'other'];
const ABSENT = ['tes', 'lo'];

function bloomOf(values: readonly Uint8Array[]): Buffer {
  const bloom = Buffer.alloc(256);
  for (const value of values) {
    // Sets one bit after the other until the filter is content: no second implementation of the hash.
    const filter = new LogFilter([value]);
    for (let bit = 0; bit < 2_048; bit++) {
      const without = Buffer.alloc(256, 0xff);
      without[bit >> 3] = 0xff & ~(1 << (bit & 7));
      if (!filter.mayMatch(without)) bloom[bit >> 3] = (bloom[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  return bloom;
}

describe('LogFilter', () => {
  it('finds what go-ethereum put in, and nothing else', () => {
    const bloom = bloomOf(ADDED.map((text) => Buffer.from(text)));
    for (const text of ADDED) expect(new LogFilter([Buffer.from(text)]).mayMatch(bloom)).toBe(true);
    for (const text of ABSENT) expect(new LogFilter([Buffer.from(text)]).mayMatch(bloom)).toBe(false);
  });

  it('needs all values', () => {
    const bloom = bloomOf([Buffer.from('test')]);
    expect(new LogFilter([Buffer.from('test'), Buffer.from('other')]).mayMatch(bloom)).toBe(false);
  });

  it('finds nothing in an empty block', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (value) => {
        expect(new LogFilter([value]).mayMatch(Buffer.alloc(256))).toBe(false);
      }),
    );
  });
});
