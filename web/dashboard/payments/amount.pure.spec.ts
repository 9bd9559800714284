import { atomicOf, exactAtomicOf } from './amount.pure.js';

it.each([
  ['10', 2, '1000', '1000'],
  ['10.5', 2, '1050', '1050'],
  ['10.005', 2, '1001', '1000'],
  ['0.000', 2, '0', '0'],
  ['0', 0, '0', '0'],
  ['7.1', 0, '8', '7'],
  [
    '123456789012345678901.5',
    18,
    '123456789012345678901500000000000000000',
    '123456789012345678901500000000000000000',
  ],
])('%s with %d decimals is at least %s and at most %s', (text, decimals, up, down) => {
  expect(atomicOf(text, decimals, 'up')).toBe(up);
  expect(atomicOf(text, decimals, 'down')).toBe(down);
});

it.each([
  ['25', 2, '2500'],
  ['25.50', 2, '2550'],
  ['25.500', 2, '2550'],
  ['25.505', 2, null],
  ['1.5', 0, null],
  ['', 2, null],
  ['-1', 2, null],
  ['1,5', 2, null],
  ['1e3', 2, null],
  [' 1', 2, null],
  ['1.', 2, null],
])('"%s" with %d decimals is exactly %s', (text, decimals, atomic) => {
  expect(exactAtomicOf(text, decimals)).toBe(atomic);
});
