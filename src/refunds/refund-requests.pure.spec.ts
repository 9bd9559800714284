import type { PaymentStatus } from '../payments/payment-status.pure.js';
import {
  isStillOwed,
  type RequestedRefund,
  type RequestFacts,
  returnableFunds,
} from './refund-requests.pure.js';

const OVERPAID: RequestFacts<RequestedRefund> = {
  status: 'CONFIRMED',
  received: 120n,
  least: 1n,
  overpaid: 20n,
  isAcceptedSoon: false,
  transfers: [],
  refunds: [],
};
const UNDERPAID = { ...OVERPAID, status: 'UNDERPAID', received: 60n, overpaid: null } as const;
const STRAY = { id: 'stray', isMatched: false, isDust: false, state: 'confirmed' } as const;
const asked = (fields: Partial<RequestedRefund> = {}): RequestedRefund => ({
  type: 'OVERPAYMENT',
  status: 'AWAITING_ADDRESS',
  transferId: null,
  amount: 20n,
  requestedBy: null,
  ...fields,
});
/** "OVERPAYMENT 20", with what became of the request. */
const shown = (facts: Partial<RequestFacts<RequestedRefund>>) =>
  returnableFunds({ ...OVERPAID, ...facts }).map(
    ({ type, transferId, amount, refund }) =>
      `${type} ${transferId ?? amount}${refund ? ` ${refund.status}` : ''}`,
  );

describe('what a customer can ask back', () => {
  it.each<[string, Partial<RequestFacts<RequestedRefund>>, string[]]>([
    ['the excess of a payment that is paid', {}, ['OVERPAYMENT 20']],
    ['the excess of a payment that is held', { status: 'RECEIVED' }, ['OVERPAYMENT 20']],
    ['never the price', { received: 100n, overpaid: null }, []],
    ['all of an underpaid payment', UNDERPAID, ['UNDERPAYMENT 60']],
    ['nothing while the gateway will accept it by itself', { ...UNDERPAID, isAcceptedSoon: true }, []],
    ['nothing of a payment that is not final', { ...UNDERPAID, status: 'FOUND' }, []],
    ['nothing of an open payment', { ...UNDERPAID, status: 'OPEN', received: 0n }, []],
    ['what came to a cancelled payment', { status: 'CANCELLED' }, ['UNEXPECTED 120']],
    ['no dust that came to a cancelled payment', { status: 'CANCELLED', received: 4n, least: 5n }, []],
    ['no dust that was not asked for', { overpaid: null, transfers: [{ ...STRAY, isDust: true }] }, []],
    ['what came to a failed payment', { status: 'ERROR' }, ['UNEXPECTED 120']],
    ['nothing of a cancelled payment that got nothing', { status: 'CANCELLED', received: 0n }, []],
    [
      'what came after everything was refunded',
      {
        status: 'REFUND',
        refunds: [asked({ requestedBy: 'u', amount: 100n, status: 'COMPLETED', type: 'FULL' })],
      },
      ['UNEXPECTED 20'],
    ],
    [
      'unmatched funds of a paid payment, beside the excess',
      { transfers: [STRAY] },
      ['OVERPAYMENT 20', 'UNEXPECTED stray'],
    ],
    [
      'unmatched funds of an open payment',
      { status: 'OPEN', received: 0n, overpaid: null, transfers: [STRAY] },
      ['UNEXPECTED stray'],
    ],
    [
      'no unmatched funds before they are confirmed',
      { overpaid: null, transfers: [{ ...STRAY, state: 'pending' }] },
      [],
    ],
    [
      'no unmatched funds that are gone',
      { overpaid: null, transfers: [{ ...STRAY, state: 'orphaned' }] },
      [],
    ],
    ['no funds that were accepted', { overpaid: null, transfers: [{ ...STRAY, isMatched: true }] }, []],
  ])('%s', (_case, facts, expected) => {
    expect(shown(facts)).toEqual(expected);
  });

  it.each<[string, Partial<RequestFacts<RequestedRefund>>, string[]]>([
    ['one that stands', { refunds: [asked()] }, ['OVERPAYMENT 20 AWAITING_ADDRESS']],
    [
      'one that stands, although more has come',
      { overpaid: 50n, refunds: [asked({ status: 'PROCESSING' })] },
      ['OVERPAYMENT 20 PROCESSING'],
    ],
    ['one that was carried out', { refunds: [asked({ status: 'COMPLETED' })] }, ['OVERPAYMENT 20 COMPLETED']],
    [
      'one that was carried out, and what has come since',
      { overpaid: 50n, refunds: [asked({ status: 'COMPLETED' })] },
      ['OVERPAYMENT 20 COMPLETED', 'OVERPAYMENT 30'],
    ],
    [
      'one that was declined, which is not offered again',
      { refunds: [asked({ status: 'CANCELLED' })] },
      ['OVERPAYMENT 20 CANCELLED'],
    ],
    [
      'no expired one, so that it can be made again',
      { refunds: [asked({ status: 'EXPIRED' })] },
      ['OVERPAYMENT 20'],
    ],
    ["none of the merchant's own", { refunds: [asked({ requestedBy: 'u' })] }, []],
    [
      "what the merchant's own leaves",
      { refunds: [asked({ requestedBy: 'u', amount: 5n })] },
      ['OVERPAYMENT 15'],
    ],
    [
      'that of an underpayment, also after the rest was paid',
      { overpaid: null, refunds: [asked({ type: 'UNDERPAYMENT', amount: 60n })] },
      ['UNDERPAYMENT 60 AWAITING_ADDRESS'],
    ],
    [
      'that of a transfer',
      {
        overpaid: null,
        transfers: [STRAY],
        refunds: [asked({ type: 'UNEXPECTED', transferId: 'stray', amount: 0n })],
      },
      ['UNEXPECTED stray AWAITING_ADDRESS'],
    ],
    [
      'that of a transfer that was declined',
      {
        overpaid: null,
        transfers: [STRAY],
        refunds: [asked({ type: 'UNEXPECTED', transferId: 'stray', amount: 0n, status: 'CANCELLED' })],
      },
      ['UNEXPECTED stray CANCELLED'],
    ],
    [
      'none of a transfer that was declined and accepted then',
      {
        overpaid: null,
        transfers: [{ ...STRAY, isMatched: true }],
        refunds: [asked({ type: 'UNEXPECTED', transferId: 'stray', amount: 0n, status: 'CANCELLED' })],
      },
      [],
    ],
    [
      'that of a transfer that the merchant gives back without being asked',
      {
        overpaid: null,
        transfers: [STRAY],
        refunds: [asked({ type: 'UNEXPECTED', transferId: 'stray', amount: 0n, requestedBy: 'u' })],
      },
      ['UNEXPECTED stray AWAITING_ADDRESS'],
    ],
  ])('shows of earlier requests %s', (_case, facts, expected) => {
    expect(shown(facts)).toEqual(expected);
  });
});

describe('a request whose address is named', () => {
  const part = asked({ type: 'UNDERPAYMENT' });
  const stray = asked({ type: 'UNEXPECTED', transferId: 'stray', amount: 0n });
  it.each<[string, RequestedRefund, PaymentStatus, RequestFacts<RequestedRefund>['transfers'], boolean]>([
    ['stands while the payment is underpaid', part, 'UNDERPAID', [], true],
    ['falls when the rest was paid', part, 'RECEIVED', [], false],
    ['stands for the excess', asked(), 'CONFIRMED', [], true],
    ['stands for a transfer', stray, 'OPEN', [STRAY], true],
    ['falls with its transfer', stray, 'OPEN', [{ ...STRAY, state: 'orphaned' }], false],
    ['falls when its transfer counts', stray, 'OPEN', [{ ...STRAY, isMatched: true }], false],
    ['stands if the merchant promised it', { ...part, requestedBy: 'u' }, 'RECEIVED', [], true],
  ])('%s', (_case, refund, status, transfers, expected) => {
    expect(isStillOwed(refund, { status, transfers })).toBe(expected);
  });
});
