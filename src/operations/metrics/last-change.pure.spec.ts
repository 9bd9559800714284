import { LastChange } from './last-change.pure.js';

const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 10, 0, second));

it('LastChange counts from what was seen, each name by itself', () => {
  const changes = new LastChange();
  const read = (name: string, value: string, second: number) => changes.secondsOf(name, value, at(second));
  expect(read('ethereum', '1', 0)).toBe(0);
  expect(read('bitcoin', '1', 5)).toBe(0);
  expect(read('ethereum', '1', 10)).toBe(10);
  expect(read('ethereum', '2', 20)).toBe(0);
  expect([read('ethereum', '2', 30), read('bitcoin', '1', 30)]).toEqual([10, 25]);
  // A clock that was set back.
  expect(read('ethereum', '2', 15)).toBe(0);
});
