import { CHOSEN_KINDS, isOfOperators } from './notice-kinds.pure.js';

it('chains and backups are for operators', () => {
  expect(CHOSEN_KINDS.filter(isOfOperators)).toEqual(['chain', 'backup']);
});
