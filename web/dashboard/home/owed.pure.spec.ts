import { type OWED_KINDS, owedOf } from './owed.pure.js';

const money = (atomic: string, code = 'EUR') => ({ atomic, decimals: 2, currency: { code } });
const item = (kind: (typeof OWED_KINDS)[number], id: string, excess: string | null, code?: string) => ({
  kind,
  payment: { id, reference: `order ${id}` },
  sums: { excess: excess === null ? null : money(excess, code) } as never,
});

it('owes nothing without items', () => {
  expect(owedOf([])).toEqual({ rows: [], sums: [], isUnknown: false });
});

it('counts the money of a payment once, by its widest kind', () => {
  const { rows, sums } = owedOf([item('paid_late', 'a', '6400'), item('overpaid', 'a', '2400')]);
  expect(rows).toEqual([{ paymentId: 'a', reference: 'order a', kind: 'paid_late', amount: money('6400') }]);
  expect(sums).toEqual([money('6400')]);
});

it('adds up exactly, and never two currencies', () => {
  const big = `1${'0'.repeat(40)}`;
  const items = [item('overpaid', 'a', big), item('overpaid', 'b', '5'), item('paid_twice', 'c', '7', 'USD')];
  expect(owedOf(items).sums).toEqual([money(`1${'0'.repeat(39)}5`), money('7', 'USD')]);
});

it('leaves out what is settled already', () => {
  expect(owedOf([item('overpaid', 'a', null)])).toEqual({ rows: [], sums: [], isUnknown: false });
});

it('says that the sum of records that cannot be trusted is not known', () => {
  const untrusted = { ...item('overpaid', 'a', null), sums: null };
  expect(owedOf([untrusted, item('overpaid', 'b', '5')])).toMatchObject({
    sums: [money('5')],
    isUnknown: true,
  });
});
