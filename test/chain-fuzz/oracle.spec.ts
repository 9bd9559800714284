import {
  type RecordedEvent,
  type RecordedPart,
  type RecordedPayment,
  type RecordedTransfer,
  type Records,
  findDiscrepancies,
  type Truth,
} from './oracle.js';
import type { Payee } from './payees.js';

const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const PAYEE: Payee = {
  hearsOfUpdates: true,
  paymentId: 'p',
  due: 10_000n,
  isConfirmedAlone: false,
  evm: '0x1111111111111111111111111111111111111111',
  script: Buffer.from('0014', 'hex'),
  asked: new Map([
    ['ETH', 50n],
    ['BTC', 200n],
  ]),
};
const TRUTH: Truth = {
  holdings: [
    {
      paymentId: 'p',
      chain: 'ethereum',
      asset: 'native',
      name: 'ETH',
      mined: 25n,
      deep: 25n,
      everDeep: 25n,
      waiting: null,
    },
    {
      paymentId: 'p',
      chain: 'ethereum',
      asset: USDT,
      name: 'USDT',
      mined: 7n,
      deep: 0n,
      everDeep: 0n,
      waiting: null,
    },
    {
      paymentId: 'p',
      chain: 'bitcoin',
      asset: 'native',
      name: 'BTC',
      mined: 100n,
      deep: 100n,
      everDeep: 100n,
      waiting: 9n,
    },
  ],
  chains: new Map([
    ['ethereum', { hashAt: new Map([[5, 'e5']]), pool: new Set<string>() }],
    ['bitcoin', { hashAt: new Map([[8, 'b8']]), pool: new Set(['waits']) }],
  ]),
};
const transfer = (fields: Partial<RecordedTransfer>): RecordedTransfer => ({
  paymentId: 'p',
  chain: 'ethereum',
  asset: 'native',
  txHash: 'tx',
  state: 'confirmed',
  amount: 25n,
  height: 5,
  blockHash: 'e5',
  ...fields,
});
const TRANSFERS = [
  transfer({}),
  transfer({ asset: USDT, amount: 7n, state: 'pending' }),
  transfer({ chain: 'bitcoin', amount: 100n, height: 8, blockHash: 'b8' }),
  transfer({
    chain: 'bitcoin',
    amount: 9n,
    state: 'pending',
    txHash: 'waits',
    height: null,
    blockHash: null,
  }),
  transfer({ chain: 'bitcoin', amount: 77n, state: 'replaced', height: null, blockHash: null }),
];
const part = (currencyCode: string, amount: bigint, credited: bigint): RecordedPart => ({
  currencyCode,
  status: 'CONFIRMED',
  matched: true,
  amount,
  credited,
  count: 1n,
});
/** Half of what was asked for in each coin. */
const PARTS = [part('ETH', 25n, 5_000n), part('BTC', 100n, 5_000n)];
const STATUS_OF: Record<string, string> = {
  'payment.found': 'FOUND',
  'payment.received': 'RECEIVED',
  'payment.underpaid': 'UNDERPAID',
  'payment.completed': 'CONFIRMED',
  'payment.refund': 'REFUND',
};
const event = (seq: number, type: string, isSuperseded = false): RecordedEvent => ({
  id: `i${seq}`,
  sentId: `i${seq}`,
  sentStatus: STATUS_OF[type] ?? 'OPEN',
  sentReceived: 10_000n,
  sentParts: PARTS,
  seq,
  type,
  isSuperseded,
});
const PAYMENT: RecordedPayment = {
  paymentId: 'p',
  status: 'RECEIVED',
  received: 10_000n,
  reviewReason: null,
  history: [
    { seq: 1, from: null, to: 'OPEN' },
    { seq: 2, from: 'OPEN', to: 'FOUND' },
    { seq: 3, from: 'FOUND', to: 'RECEIVED' },
  ],
  events: [event(3, 'payment.received')],
  lastTold: 10_000n,
  parts: PARTS,
};
const RIGHT: Records = { transfers: TRANSFERS, payments: [PAYMENT] };

const withTransfer = (i: number, fields: Partial<RecordedTransfer>): Records => ({
  ...RIGHT,
  transfers: TRANSFERS.map((each, j) => (i === j ? { ...each, ...fields } : each)),
});
const withPayment = (fields: Partial<RecordedPayment>): Records => ({
  ...RIGHT,
  payments: [{ ...PAYMENT, ...fields }],
});
const walk = (...statuses: string[]): RecordedPayment['history'] =>
  statuses.map((to, i) => ({ seq: i + 1, from: statuses[i - 1] ?? null, to }));

describe('the oracle of the chain fuzz', () => {
  it('reports nothing for correct records', () => {
    expect(findDiscrepancies([PAYEE], TRUTH, RIGHT)).toEqual([]);
  });

  it.each<[what: string, records: Records, finding: RegExp]>([
    ['a unit too much', withTransfer(0, { amount: 26n }), /native: mined 25 on chain, 26 recorded/],
    [
      'counted twice',
      { ...RIGHT, transfers: [...TRANSFERS, transfer({})] },
      /mined 25 on chain, 50 recorded/,
    ],
    ['lost', { ...RIGHT, transfers: TRANSFERS.slice(1) }, /mined 25 on chain, 0 recorded/],
    ['confirmed too early', withTransfer(1, { state: 'confirmed' }), /confirmed 0 on chain, 7 recorded/],
    ['not confirmed', withTransfer(0, { state: 'pending' }), /confirmed 25 on chain, 0 recorded/],
    ['waiting, and not seen', withTransfer(3, { state: 'dropped' }), /waiting 9 on chain, 0 recorded/],
    ['replaced, and still counted', withTransfer(4, { state: 'pending' }), /no node holds it/],
    ['in a block that is gone', withTransfer(0, { blockHash: 'e5b' }), /which the chain has left/],
    ['orphaned, and still in a block', withTransfer(4, { height: 8, blockHash: 'b8' }), /still in block 8/],
    [
      'of an asset that was not sent',
      withTransfer(1, { asset: '0xbad' }),
      /credited what it cannot have got/,
    ],
    ['a payment that is gone', { ...RIGHT, payments: [] }, /p: is gone/],
    ['another received amount', withPayment({ received: 9_999n }), /received 10000 by the chains, 9999/],
    ['an illegal move', withPayment({ history: walk('OPEN', 'RECEIVED') }), /moved from OPEN to RECEIVED/],
    ['a gap', withPayment({ history: PAYMENT.history.filter(({ seq }) => seq !== 2) }), /entry 3 where 2/],
    ['a status beside its history', withPayment({ status: 'FOUND' }), /history ends with RECEIVED/],
    ['another status', withPayment({ status: 'FOUND' }), /RECEIVED by the chains, FOUND by the API/],
    ['money that no event tells', withPayment({ lastTold: null }), /received 10000, and its events told 0/],
    ['no event', withPayment({ events: [] }), /events  where 3 payment.received are due/],
    [
      'an event twice',
      withPayment({ events: [...PAYMENT.events, event(3, 'payment.received')] }),
      /where 3 payment.received are due/,
    ],
    [
      'an event with another id',
      withPayment({ events: [{ ...event(3, 'payment.received'), sentId: 'x' }] }),
      /event i3 tells the id x/,
    ],
    [
      'more announced than ever was there',
      withPayment({ events: [{ ...event(3, 'payment.received'), sentReceived: 10_001n }] }),
      /announced 10001; there never was more than 10000/,
    ],
    [
      'less announced than was due',
      withPayment({ events: [{ ...event(3, 'payment.received'), sentReceived: 9_999n }] }),
      /announced 9999/,
    ],
    [
      'parts that do not add up',
      withPayment({ parts: [part('ETH', 25n, 4_999n), part('BTC', 100n, 5_000n)] }),
      /p: parts of 9999, and 10000 received/,
    ],
    [
      'a part that is more than a unit off',
      withPayment({ parts: [part('ETH', 25n, 5_001n), part('BTC', 100n, 4_999n)] }),
      /p: 25 ETH are credited 5001/,
    ],
    [
      'credit for what was not asked for',
      withPayment({ parts: [...PARTS, { ...part('USDT', 7n, 1n), status: 'PENDING' }] }),
      /p: 7 USDT are credited 1/,
    ],
    [
      'credit for what is gone',
      withPayment({ parts: [...PARTS, { ...part('ETH', 1n, 200n), status: 'ORPHANED' }] }),
      /p: 1 ETH are credited 200/,
    ],
    [
      'an event whose parts do not add up',
      withPayment({ events: [{ ...event(3, 'payment.received'), sentParts: PARTS.slice(1) }] }),
      /event 3: parts of 5000, and 10000 received/,
    ],
    [
      'an event of another status',
      withPayment({ events: [{ ...event(3, 'payment.received'), sentStatus: 'FOUND' }] }),
      /event 3 payment.received tells of FOUND/,
    ],
    [
      'an event that a reorg made untrue',
      withPayment({
        history: walk('OPEN', 'FOUND', 'RECEIVED', 'OPEN', 'FOUND', 'RECEIVED'),
        events: [event(3, 'payment.received'), event(6, 'payment.received')],
      }),
      /event 3 payment.received is not superseded/,
    ],
  ])('reports %s', (_what, records, finding) => {
    expect(findDiscrepancies([PAYEE], TRUTH, records).join('\n')).toMatch(finding);
  });

  describe('of an application with opt-in events', () => {
    const payee = { ...PAYEE, hearsOfFound: true };
    const found = event(2, 'payment.found');
    const findings = (events: readonly RecordedEvent[], history = PAYMENT.history) =>
      findDiscrepancies([payee], TRUTH, withPayment({ events, history })).join('\n');
    const back = walk('OPEN', 'FOUND', 'OPEN', 'FOUND', 'RECEIVED');

    it('expects an event at each entry of a status, and superseded ones when the funds are removed', () => {
      expect(findings([found, ...PAYMENT.events])).toBe('');
      expect(findings(PAYMENT.events)).toMatch(/where 2 payment.found, 3 payment.received are due/);
      const again = [event(4, 'payment.found'), event(5, 'payment.received')];
      expect(findings([event(2, 'payment.found', true), ...again], back)).toBe('');
      expect(findings([found, ...again], back)).toMatch(/event 2 payment.found is not superseded/);
    });

    it('expects no other events', () => {
      const records = withPayment({ events: [found, ...PAYMENT.events] });
      expect(findDiscrepancies([PAYEE], TRUTH, records).join()).toMatch(/where 3 payment.received are due/);
    });
  });

  it.each<[what: string, deep: bigint, mined: bigint, path: string[], status: string, isRight: boolean]>([
    ['nothing came', 0n, 0n, ['OPEN'], 'OPEN', true],
    ['something came', 0n, 25n, ['OPEN', 'FOUND'], 'FOUND', true],
    ['something came, unseen', 0n, 25n, ['OPEN'], 'OPEN', false],
    ['too little came', 25n, 25n, ['OPEN', 'FOUND', 'UNDERPAID'], 'UNDERPAID', true],
    ['too little came, and more waits', 25n, 30n, ['OPEN', 'FOUND', 'UNDERPAID'], 'UNDERPAID', true],
    ['too little arrived, without an event', 25n, 25n, ['OPEN', 'FOUND'], 'FOUND', false],
    ['enough came', 50n, 50n, ['OPEN', 'FOUND', 'RECEIVED'], 'RECEIVED', true],
    ['enough came, unseen', 50n, 50n, ['OPEN', 'FOUND'], 'FOUND', false],
    ['it was taken back, and kept', 0n, 0n, ['OPEN', 'FOUND', 'RECEIVED'], 'RECEIVED', false],
  ])('expects the right status when %s', (_what, deep, mined, path, status, isRight) => {
    const holdings = TRUTH.holdings.slice(0, 1).map((each) => ({ ...each, mined, deep, everDeep: 50n }));
    const records: Records = {
      transfers: [
        transfer({ amount: deep }),
        ...(mined > deep ? [transfer({ state: 'pending', amount: mined - deep })] : []),
      ],
      payments: [
        {
          ...PAYMENT,
          status,
          received: (10_000n * deep) / 50n,
          lastTold: (10_000n * deep) / 50n,
          parts: [part('ETH', deep, (10_000n * deep) / 50n)],
          history: walk(...path),
          events: path.flatMap((to, i) =>
            to === 'RECEIVED' || to === 'UNDERPAID' ? [event(i + 1, `payment.${to.toLowerCase()}`)] : [],
          ),
        },
      ],
    };
    expect(findDiscrepancies([PAYEE], { ...TRUTH, holdings }, records)).toHaveLength(isRight ? 0 : 1);
  });

  it('keeps a confirmed payment and expects its review reason after a reorg', () => {
    const payee = { ...PAYEE, isConfirmedAlone: true };
    const records = (reviewReason: string | null): Records => ({
      transfers: [],
      payments: [
        {
          ...PAYMENT,
          status: 'CONFIRMED',
          received: 0n,
          lastTold: 0n,
          reviewReason,
          parts: [],
          history: walk('OPEN', 'FOUND', 'RECEIVED', 'CONFIRMED'),
          events: [event(3, 'payment.received'), event(4, 'payment.completed')],
        },
      ],
    });
    const holdings = TRUTH.holdings
      .slice(0, 1)
      .map((each) => ({ ...each, mined: 0n, deep: 0n, everDeep: 50n }));
    const truth = { ...TRUTH, holdings };
    expect(findDiscrepancies([payee], truth, records('reorg'))).toEqual([]);
    expect(findDiscrepancies([payee], truth, records(null)).join()).toMatch(/no review reason/);
  });
});
