import { paidLateAt, type PaidLateFacts } from './paid-late.pure.js';

/** Minutes after the end of the link. */
const at = (minutes: number) => new Date(Date.UTC(2026, 4, 1, 10, 0) + minutes * 60_000);
type Transfer = PaidLateFacts['transfers'][number];
const SENT: Transfer = {
  id: 't1',
  amount: 100n,
  floor: 10n,
  state: 'confirmed',
  isMatched: true,
  isDust: false,
  seenAt: at(60),
  blockTime: at(59),
};
const sent = (changes: Partial<Transfer> = {}): Transfer => ({ ...SENT, ...changes });

interface Given {
  /** Null: not seen at all, which no payment is that is about to be paid. */
  foundAt?: Date | null;
  transfers?: Transfer[];
  acceptedTransferId?: string;
  underpayAcceptedAt?: Date;
}

it.each<[string, Given, Date | null]>([
  ['money of an hour after the end', {}, at(59)],
  [
    'money that a mempool showed, as soon as it did',
    { transfers: [sent({ seenAt: at(50) })], foundAt: at(50) },
    at(50),
  ],
  [
    'money of before the end, final after it',
    { foundAt: at(-5), transfers: [sent({ seenAt: at(-5) })] },
    null,
  ],
  [
    'money seen at the very end',
    { foundAt: at(0), transfers: [sent({ seenAt: at(0), blockTime: at(1) })] },
    null,
  ],
  [
    'money of the last moment, in the next block',
    { foundAt: at(1), transfers: [sent({ seenAt: at(1), blockTime: at(0.5) })] },
    null,
  ],
  [
    'money of just after that',
    { foundAt: at(2), transfers: [sent({ seenAt: at(2), blockTime: at(1.01) })] },
    at(1.01),
  ],
  [
    'money in a block of before the end, seen after an outage',
    { transfers: [sent({ blockTime: at(-1) })] },
    null,
  ],
  ['a block that claims to be of the future', { transfers: [sent({ blockTime: at(90) })] }, at(60)],
  [
    'a part before the end, and the rest after it',
    { foundAt: at(-5), transfers: [sent({ seenAt: at(-5) }), sent()] },
    null,
  ],
  [
    'two parts after the end: the first',
    { transfers: [sent({ seenAt: at(70), blockTime: at(69) }), sent()] },
    at(59),
  ],
  ['a transaction of before the end, mined again after it', { transfers: [sent({ seenAt: at(-5) })] }, null],
  [
    'one that took the place of another, seen in time',
    { foundAt: at(-5), transfers: [sent({ state: 'replaced', seenAt: at(-5) }), sent()] },
    null,
  ],
  [
    'another one, after the first was gone',
    { transfers: [sent({ state: 'orphaned', seenAt: at(-5) }), sent()] },
    at(59),
  ],
  [
    'another one, after the first was dropped',
    { transfers: [sent({ state: 'dropped', seenAt: at(-5) }), sent()] },
    at(59),
  ],
  ['with dust of before the end', { transfers: [sent({ isDust: true, seenAt: at(-5) }), sent()] }, at(59)],
  [
    'with dust of before that the rest has made count',
    { transfers: [sent({ amount: 1n, seenAt: at(-5) }), sent()] },
    at(59),
  ],
  [
    'with something of before that was not asked for',
    { transfers: [sent({ isMatched: false, seenAt: at(-5) }), sent()] },
    at(59),
  ],
  ['what the merchant has accepted as it is', { underpayAcceptedAt: at(70) }, null],
  ['what the merchant has accepted on another network', { acceptedTransferId: 't1' }, null],
  ['with another transfer accepted that does not count', { acceptedTransferId: 't9' }, at(59)],
  ['nothing', { foundAt: null, transfers: [] }, null],
])('late is %s: %p', (_what, { foundAt = at(60), transfers = [SENT], ...given }, expected) => {
  const payment = { expiresAt: at(0), foundAt, underpayAcceptedAt: given.underpayAcceptedAt ?? null };
  const quotes = [{ acceptedTransferId: null }, { acceptedTransferId: given.acceptedTransferId ?? null }];
  expect(paidLateAt({ payment, transfers, quotes })).toEqual(expected);
});
