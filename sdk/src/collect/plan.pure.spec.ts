import {
  amountOf,
  codeOf,
  countOf,
  evmOf,
  listOf,
  objectOf,
  parse,
  PlanError,
  readPlan,
  textOf,
} from './plan.pure.js';
import { SAMPLE } from '../../../test/support/sample-plan.js';

const [first, second] = SAMPLE.addresses;
const [token] = first?.tokens ?? [];
const withFirst = (change: object) => ({ ...SAMPLE, addresses: [{ ...first, ...change }] });
const withToken = (change: object) => withFirst({ tokens: [{ ...token, ...change }] });

it('reads a plan', () => {
  const plan = readPlan(JSON.stringify(SAMPLE));
  expect(plan).toMatchObject({
    chainId: 137n,
    fees: { gasPrice: 8n, market: { baseFee: 4n, priorityFee: 2n } },
  });
  expect(plan.addresses).toHaveLength(3);
  expect(plan.addresses[0]?.tokens).toMatchObject([{ amount: 2_500_000n, gasLimit: 80_000n }]);
  const old = { ...SAMPLE, fees: { ...SAMPLE.fees, baseFee: null } };
  expect(readPlan(JSON.stringify(old)).fees.market).toBeNull();
});

it.each<[field: string, plan: unknown]>([
  ['plan', []],
  ['form', { ...SAMPLE, form: 'signing-plan-2' }],
  ['fees', { ...SAMPLE, fees: null }],
  ['fees.gasPrice', { ...SAMPLE, fees: { ...SAMPLE.fees, gasPrice: 8 } }],
  ['fees.baseFee', { ...SAMPLE, fees: { ...SAMPLE.fees, baseFee: '-1' } }],
  ['fees.priorityFee', { ...SAMPLE, fees: { ...SAMPLE.fees, priorityFee: '01' } }],
  ['fees.dataFee', { ...SAMPLE, fees: { ...SAMPLE.fees, dataFee: undefined } }],
  ['funding', { ...SAMPLE, funding: undefined }],
  ['funding.path', { ...SAMPLE, funding: { ...SAMPLE.funding, path: '0/0' } }],
  ['funding.address', { ...SAMPLE, funding: { ...SAMPLE.funding, address: '0x1' } }],
  ['funding.nonce', { ...SAMPLE, funding: { ...SAMPLE.funding, nonce: -1 } }],
  ['funding.balance', { ...SAMPLE, funding: { ...SAMPLE.funding, balance: '1'.repeat(79) } }],
  ['blockchain', { ...SAMPLE, blockchain: 'a\u001b[2J' }],
  ['chainId', { ...SAMPLE, chainId: 0 }],
  ['currencyCode', { ...SAMPLE, currencyCode: 'P\nL' }],
  ['accountPath', { ...SAMPLE, accountPath: "44'/60'" }],
  ['transferGas', { ...SAMPLE, transferGas: 20_999 }],
  ['addresses', { ...SAMPLE, addresses: [] }],
  ['addresses', { ...SAMPLE, addresses: Array(301).fill(first) }],
  ['addresses', { ...SAMPLE, addresses: [second, second] }],
  ['addresses\\[0\\].index', withFirst({ index: 2 ** 31 })],
  ['addresses\\[0\\].path', withFirst({ path: '1/0' })],
  ['addresses\\[0\\].address', withFirst({ address: '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266' })],
  ['addresses\\[0\\].nonce', withFirst({ nonce: 0.5 })],
  ['addresses\\[0\\].balance', withFirst({ balance: '1e3' })],
  ['addresses\\[0\\].tokens', withFirst({ tokens: {} })],
  ['addresses\\[0\\].tokens', withFirst({ tokens: [token, token] })],
  ['addresses\\[0\\].tokens\\[0\\].contract', withToken({ contract: 'native' })],
  ['addresses\\[0\\].tokens\\[0\\].currencyCode', withToken({ currencyCode: '' })],
  ['addresses\\[0\\].tokens\\[0\\].decimals', withToken({ decimals: 78 })],
  ['addresses\\[0\\].tokens\\[0\\].amount', withToken({ amount: String(2n ** 256n) })],
  ['addresses\\[0\\].tokens\\[0\\].gasLimit', withToken({ gasLimit: 100_000_001 })],
])('names %s', (field, plan) => {
  expect(() => readPlan(JSON.stringify(plan))).toThrow(PlanError);
  expect(() => readPlan(JSON.stringify(plan))).toThrow(new RegExp(`^${field}: `));
});

it.each<[what: string, read: () => unknown]>([
  ['no JSON', () => parse('{')],
  ['no object', () => objectOf('x', 'f')],
  ['a long list', () => listOf([1, 2], 'f', 1)],
  ['another form', () => textOf('B', 'f', /^a$/)],
  ['a number for a code', () => codeOf(1, 'f')],
  ['a number for an amount', () => amountOf(1, 'f')],
  ['a count that is too small', () => countOf(1, 'f', 2, 3)],
  ['a text for an address', () => evmOf('x', 'f')],
])('%s is refused', (_what, read) => {
  expect(read).toThrow(PlanError);
});
