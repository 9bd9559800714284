import { viewsOf, withoutView, withView } from './views.pure.js';

const SAVED = {
  Late: '/payments?attention=late_funds',
  Big: '/payments?min=1',
  Other: '/refunds?x=1',
  Odd: '',
};

it('shows the views of this list by name', () => {
  expect(viewsOf(SAVED)).toEqual([
    { name: 'Big', query: 'min=1' },
    { name: 'Late', query: 'attention=late_funds' },
  ]);
});

it('adds, replaces and removes one, and leaves the others', () => {
  expect(withView(SAVED, { name: 'New', query: 'status=OPEN' })).toEqual({
    ...SAVED,
    New: '/payments?status=OPEN',
  });
  expect(withView(SAVED, { name: 'Big', query: 'min=2' })['Big']).toBe('/payments?min=2');
  expect(Object.keys(withoutView(SAVED, 'Late'))).toEqual(['Big', 'Other', 'Odd']);
});
