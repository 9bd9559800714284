import { EVM_CHAINS } from '../chains/evm/evm-chains.pure.js';
import { UTXO_CHAINS } from '../chains/utxo/utxo-chains.pure.js';
import { PAYOUT_LEFT_OUT, type PayoutFacts, type PayoutLeftOut, reasonToLeaveOut } from './left-out.pure.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const KEY = Buffer.from(ADDRESS.slice(2), 'hex');
const ethereum = EVM_CHAINS.find(({ slug }) => slug === 'ethereum');
const { bitcoin } = UTXO_CHAINS;
if (!ethereum) throw new Error('chains are missing');
const [coin] = bitcoin.assets;

const refund = {
  chain: 'ethereum',
  asset: 'native',
  payoutDecimals: 18,
  status: 'AWAITING_PAYMENT',
  type: 'FULL',
  address: ADDRESS,
  addressKey: KEY,
  payoutAmount: 1n,
} as const;
const facts: PayoutFacts = {
  chain: ethereum,
  isStopped: false,
  paymentStatus: 'CONFIRMED',
  ownKeys: new Set(['00']),
};
const onBitcoin = {
  chain: 'bitcoin',
  payoutDecimals: coin?.decimals ?? 8,
  address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  addressKey: Buffer.from('0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2', 'hex'),
};

const rows: [string, object | null, Partial<PayoutFacts>, PayoutLeftOut | null][] = [
  ['one that waits', {}, {}, null],
  ['one whose transaction failed', { status: 'FAILED' }, {}, null],
  ['an underpayment that was left', { type: 'UNDERPAYMENT' }, { paymentStatus: 'UNDERPAID' }, null],
  ['none', null, {}, 'unknown'],
  ['one that is not authentic', null, { isStopped: true }, 'stopped'],
  ['one of a stopped payment', {}, { isStopped: true }, 'stopped'],
  ['one of another chain', { chain: 'polygon' }, {}, 'other_network'],
  [
    'one without an address',
    { status: 'AWAITING_ADDRESS', address: null, addressKey: null },
    {},
    'no_address',
  ],
  ['a cancelled one', { status: 'CANCELLED' }, {}, 'closed'],
  ['an expired one', { status: 'EXPIRED', address: null, addressKey: null }, {}, 'closed'],
  ['one that is being verified', { status: 'PROCESSING' }, {}, 'reported'],
  ['one that was paid', { status: 'COMPLETED' }, {}, 'reported'],
  ['one that was paid elsewhere', { status: 'COMPLETED', chain: 'polygon' }, {}, 'reported'],
  ['an underpayment whose rest has come', { type: 'UNDERPAYMENT' }, {}, 'paid_meanwhile'],
  ['a coin that is gone', { asset: `0x${'ab'.repeat(20)}` }, {}, 'coin_unavailable'],
  ['a coin with other decimals', { payoutDecimals: 6 }, {}, 'coin_unavailable'],
  ['an address that is none', { address: '0x12' }, {}, 'wrong_address'],
  ['an address with a wrong checksum', { address: ADDRESS.replace('E7', 'e7') }, {}, 'wrong_address'],
  ['an address of another key', { addressKey: Buffer.alloc(20, 1) }, {}, 'wrong_address'],
  ['a deposit address', {}, { ownKeys: new Set([KEY.toString('hex')]) }, 'own_address'],
  ['an output that is relayed', { ...onBitcoin, payoutAmount: bitcoin.dustLimit }, { chain: bitcoin }, null],
  ['dust', { ...onBitcoin, payoutAmount: (bitcoin.dustLimit ?? 1n) - 1n }, { chain: bitcoin }, 'too_small'],
];
it.each(rows)('%s', (_name, changes, known, reason) => {
  const candidate = changes && { ...refund, ...changes };
  expect(reasonToLeaveOut(candidate, { ...facts, ...known })).toBe(reason);
});

it('is tried for every reason', () => {
  const tried = new Set(rows.flatMap(([, , , reason]) => reason ?? []));
  expect([...tried].sort()).toEqual([...PAYOUT_LEFT_OUT].sort());
});
