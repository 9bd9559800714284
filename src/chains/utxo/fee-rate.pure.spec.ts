import { JsonFloat, parseExact } from '../../platform/kernel/exact-json.pure.js';
import { type FeeUnit, perByte } from './fee-rate.pure.js';

it.each<[string, FeeUnit, bigint | null]>([
  ['0.00001000', 'coins-for-1000', 1n],
  ['0.00001001', 'coins-for-1000', 2n],
  ['0.00000100', 'coins-for-1000', 1n],
  ['0.01000000', 'coins-for-1000', 1_000n],
  ['1e-5', 'coins-for-1000', 1n],
  ['1', 'coins-for-1000', 100_000n],
  ['1', 'units-for-1', 1n],
  ['1.0', 'units-for-1', 1n],
  ['0.1', 'units-for-1', 1n],
  ['87.882', 'units-for-1', 88n],
  ['0.0', 'units-for-1', null],
  ['0', 'units-for-1', null],
  ['-1', 'coins-for-1000', null],
  ['-1.0', 'coins-for-1000', null],
  ['"1"', 'units-for-1', null],
  ['null', 'units-for-1', null],
  ['{}', 'units-for-1', null],
  ['1e99', 'units-for-1', null],
])('%s in %s', (text, unit, expected) => expect(perByte(parseExact(text), unit)).toBe(expected));

it('of nothing is none', () => {
  expect(perByte(undefined, 'units-for-1')).toBeNull();
  expect(perByte(new JsonFloat('x'), 'units-for-1')).toBeNull();
});
