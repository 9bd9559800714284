import { type OwedFacts, owedOf } from './owed.pure.js';

const PAID: OwedFacts = {
  status: 'CONFIRMED',
  overpaidAmount: null,
  underpaidAmount: null,
  refundedAmount: 0n,
  promised: 0n,
  keptAmount: null,
  overpayAcceptedAt: null,
};

it.each<[string, Partial<OwedFacts>, [string, bigint][]]>([
  ['nothing of what was paid exactly', {}, []],
  ['the excess', { overpaidAmount: 500n }, [['overpaid', 500n]]],
  [
    'the rest of an excess',
    { overpaidAmount: 500n, refundedAmount: 120n, promised: 80n },
    [['overpaid', 300n]],
  ],
  ['nothing of an excess that went back', { overpaidAmount: 500n, refundedAmount: 500n }, []],
  ['nothing of an excess that a refund promises', { overpaidAmount: 500n, promised: 500n }, []],
  ['nothing where more than the excess went back', { overpaidAmount: 500n, refundedAmount: 900n }, []],
  [
    'nothing of an excess that the merchant keeps',
    { overpaidAmount: 500n, overpayAcceptedAt: new Date(0) },
    [],
  ],
  ['nothing of an excess that is kept', { overpaidAmount: 500n, keptAmount: 500n }, []],
  [
    'what came on top of an excess that is kept',
    { overpaidAmount: 700n, keptAmount: 500n, overpayAcceptedAt: new Date(0) },
    [['overpaid', 200n]],
  ],
  [
    'the rest of an excess of which parts went back and are kept',
    { overpaidAmount: 700n, refundedAmount: 100n, promised: 50n, keptAmount: 500n },
    [['overpaid', 50n]],
  ],
  ['what is missing', { status: 'UNDERPAID', underpaidAmount: 70n }, [['missing', 70n]]],
  ['nothing that is missing of an accepted payment', { status: 'RECEIVED', underpaidAmount: 70n }, []],
  ['nothing of a zero', { status: 'UNDERPAID', underpaidAmount: 0n, overpaidAmount: 0n }, []],
])('owes %s', (_what, facts, expected) => {
  expect(owedOf({ ...PAID, ...facts }).map(({ kind, amount }) => [kind, amount])).toEqual(expected);
});
