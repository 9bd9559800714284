import { parseExact } from '../src/platform/kernel/exact-json.pure.js';
import { Draft } from '../src/platform/web/contract/read-contract.js';
import { fieldReaders } from './support/foreign-readers.js';

/*
 * Every field of every request: class-transformer and class-validator meet whatever was sent, and no value makes them
 * throw (a 500), or stays the function in which objects are hidden from class-transformer.
 */

const VALUES = parseExact(
  '[null,true,0,-1,1.5,1e400,100000000000000000000,""," ","a","$value","\\u0000","\\ud800",[],[[]],[null],[""],[{}],{},' +
    '{"a":1},{"":""},{"constructor":"x"},{"constructor":{"name":"Date"}},{"prototype":{}},{"then":"x"},{"toString":1}]',
) as unknown[];

const READERS = await fieldReaders('src');

it('finds the fields of every module', () => expect(READERS.length).toBeGreaterThan(80));

it.each(READERS)('$place reads any value', ({ place, read }) => {
  const [, name = ''] = place.split('.');
  for (const value of [...VALUES, NaN, Object.create(null)]) {
    const draft = read(value);
    if (!(draft instanceof Draft)) throw new Error(`${place} returned no draft`);
    const { given } = draft as Draft<Record<string, unknown>>;
    expect(typeof given[name]).not.toBe('function');
  }
});
