import { readTrail } from './trail.pure.js';

it.each<[unknown, string[]]>([
  [null, []],
  [undefined, []],
  ['text', []],
  [{}, []],
  [{ trail: 'a' }, []],
  [{ trail: ['', 1] }, []],
  [{ trail: ['', 'a'] }, ['', 'a']],
])('of the state %j reads the places %j', (state, trail) => {
  expect(readTrail(state)).toEqual(trail);
});
