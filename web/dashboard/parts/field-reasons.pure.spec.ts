import { elsewhere, reasonAtLabel } from './field-reasons.pure.js';

describe('the reason at a label', () => {
  it.each([
    ['The txHash field must be the hash of a transaction.', 'Must be the hash of a transaction.'],
    ['The site.setting.confirmations.ethereum field is not allowed.', 'Is not allowed.'],
    ['The name field ärgert.', 'Ärgert.'],
    // Nothing to leave out.
    ['Another wallet of this gateway uses the key.', 'Another wallet of this gateway uses the key.'],
    ['The field', 'The field'],
    ['The two fields must differ.', 'The two fields must differ.'],
    ['The amount field ', 'The amount field '],
    ['', ''],
  ])('of %j is %j', (reason, shown) => {
    expect(reasonAtLabel(reason)).toBe(shown);
  });

  it('is said elsewhere only where no field says it', () => {
    const errors = { name: ['a'], hidden: ['b', 'c'] };
    expect(elsewhere(errors, ['name', 'url'])).toEqual(['b', 'c']);
    expect(elsewhere(errors, [])).toEqual(['a', 'b', 'c']);
    expect(elsewhere({}, ['name'])).toEqual([]);
  });
});
