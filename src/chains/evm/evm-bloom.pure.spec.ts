import fc from 'fast-check';
import { bloomOf, LogFilter } from './evm-bloom.pure.js';

/**
 * The logsBloom of a block with one log (anvil 1.7.1): its bytes that are not zero. The log's contract is CONTRACT,
 * its only topic TOPIC.
 */
const BLOOM = Buffer.alloc(256);
for (const [at, byte] of [
  [75, 8],
  [99, 64],
  [123, 16],
  [155, 2],
  [195, 66],
] as const) {
  BLOOM[at] = byte;
}
const CONTRACT = Buffer.from('5fbdb2315678afecb367f032d93f642f64180aa3', 'hex');
const TOPIC = Buffer.from('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', 'hex');

describe('LogFilter', () => {
  it('matches the values in the filter of a node', () => {
    expect(new LogFilter([CONTRACT]).mayMatch(BLOOM)).toBe(true);
    expect(new LogFilter([TOPIC]).mayMatch(BLOOM)).toBe(true);
    expect(new LogFilter([CONTRACT, TOPIC]).mayMatch(BLOOM)).toBe(true);
  });

  it('requires every bit of every value', () => {
    for (let at = 0; at < 256; at++) {
      for (let mask = 1; mask <= 128; mask *= 2) {
        if (((BLOOM[at] ?? 0) & mask) === 0) continue;
        const less = Buffer.from(BLOOM);
        less[at] = (less[at] ?? 0) & ~mask;
        expect(new LogFilter([CONTRACT, TOPIC]).mayMatch(less)).toBe(false);
      }
    }
    expect(new LogFilter([CONTRACT, Buffer.alloc(32)]).mayMatch(BLOOM)).toBe(false);
  });

  it('matches nothing in an empty filter and everything in a full one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (value) => {
        expect(new LogFilter([value]).mayMatch(Buffer.alloc(256))).toBe(false);
        expect(new LogFilter([value]).mayMatch(Buffer.alloc(256, 0xff))).toBe(true);
      }),
    );
  });
});

describe('the filter of some values', () => {
  it('is that of a real log, and empty without values', () => {
    expect(bloomOf([CONTRACT, TOPIC])).toEqual(BLOOM);
    expect(bloomOf([])).toEqual(Buffer.alloc(256));
  });
});
