import { jest } from '@jest/globals';
import { encodeFunctionData, parseAbi } from 'viem';
import { MULTICALL3 } from '../src/chains/evm/multicall.pure.js';
import { PaymentStateMachine } from '../src/payments/payment-state-machine.service.js';
import type { PayoutContract, ReportedPayoutsContract } from '../src/payouts/payout.contract.js';
import { RefundVerifier } from '../src/refunds/refund-verifier.service.js';
import { RefundsService } from '../src/refunds/refunds.service.js';
import type { Hex } from './support/anvil.js';
import { rawTransaction } from './support/evm-chain.js';
import { installMulticall3 } from './support/multicall3.js';
import { createOwnerWithClient } from './support/principals.js';
import { CUSTOMER, type RefundDto, RefundsApi } from './support/refunds-api.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const UNKNOWN = '0190f6a0-0000-7000-8000-000000000000';
const AGGREGATE = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call[] calls) payable',
]);

interface BatchFile {
  chainId: string;
  meta: { createdFromSafeAddress: string };
  transactions: { to: Hex; value: string; data: Hex }[];
}

let shop: Shop;
let application: ShopApplication;
let api: RefundsApi;

beforeAll(async () => {
  shop = await Shop.open();
  await installMulticall3(shop.chain);
  await shop.chain.sendToken({ token: shop.tokens.USDT, to: MULTICALL3, value: 10n ** 10n });
  await shop.chain.mine();
});
afterAll(() => shop.close());
beforeEach(async () => {
  application = await shop.application();
  api = new RefundsApi(shop, application);
});

const owed = async (address: string = CUSTOMER, method = 'eth'): Promise<RefundDto> =>
  api.create(await api.paid({}, method), { address });
const prepare = (body: object = {}, token = shop.owner.accessToken) =>
  shop.call<PayoutContract>('POST', `/api/payment-applications/${application.id}/payouts`, token, {
    blockchain: 'ethereum',
    ...body,
  });
const report = (transactions: object, token = shop.owner.accessToken) =>
  shop.call<ReportedPayoutsContract>(
    'POST',
    `/api/payment-applications/${application.id}/payouts/complete`,
    token,
    { transactions },
  );
const sameFor = (refunds: readonly RefundDto[], hash: string) =>
  Object.fromEntries(refunds.map(({ id }) => [id, hash]));
const statuses = (refunds: readonly RefundDto[]) =>
  Promise.all(refunds.map(async (refund) => (await api.read(refund)).status));

/** As a Safe does it: all calls of a file in one transaction of a contract, which has the tokens. */
async function pay(file: string | null): Promise<Hex> {
  const { transactions } = JSON.parse(file ?? 'null') as BatchFile;
  const calls = transactions.map(({ to, value, data }) => ({
    target: to,
    allowFailure: false,
    value: BigInt(value),
    callData: data,
  }));
  return shop.chain.send({
    to: MULTICALL3,
    value: calls.reduce((sum, { value }) => sum + value, 0n),
    data: encodeFunctionData({ abi: AGGREGATE, functionName: 'aggregate3Value', args: [calls] }),
  });
}

it('pays many refunds with one transaction, also two of one amount to one address, through a reorganization', async () => {
  const refunds = [await owed(), await owed(), await owed(OTHER, 'usdt')];
  const { status, body } = await prepare();
  expect([status, body.data.leftOut, body.data.hasMore]).toEqual([200, [], false]);
  expect(body.data.refunds.map(({ refundId, address }) => [refundId, address])).toEqual(
    refunds.map(({ id, address }) => [id, address]),
  );
  const [coin] = body.data.refunds;
  expect(coin).toMatchObject({
    reference: refunds[0]?.reference,
    token: null,
    paymentUri: refunds[0]?.paymentUri,
    call: {
      to: CUSTOMER,
      data: '0x',
      value: `0x${BigInt(refunds[0]?.payoutAmount.atomic ?? 0).toString(16)}`,
      gasLimit: null,
    },
  });
  expect(body.data.sums.map(({ amount }) => [amount.currency.code, amount.atomic])).toEqual([
    ['ETH', String(2n * BigInt(refunds[0]?.payoutAmount.atomic ?? 0))],
    ['USDT', refunds[2]?.payoutAmount.atomic],
  ]);

  const hash = await pay(body.data.safeBatch);
  const raw = await rawTransaction(shop.chain, hash);
  const reported = await report(sameFor(refunds, hash.toUpperCase().replace('0X', '0x')));
  expect(reported.status).toBe(200);
  expect(reported.body.data.refunds).toMatchObject(
    refunds.map(({ id }) => ({
      refundId: id,
      refusal: null,
      refund: { status: 'PROCESSING', txHash: hash },
    })),
  );
  // Named, they are left out, and none waits any more.
  const again = await prepare({ refundIds: refunds.map(({ id }) => id) });
  expect(again.body.data).toMatchObject({
    refunds: [],
    safeBatch: null,
    sums: [],
    leftOut: refunds.map(({ id }) => ({ refundId: id, reason: 'reported' })),
  });
  expect((await prepare()).body.data).toMatchObject({ refunds: [], leftOut: [] });

  await api.confirm(4);
  await shop.chain.reorg(4);
  await api.verify();
  expect(await statuses(refunds)).toEqual(['PROCESSING', 'PROCESSING', 'PROCESSING']);
  await shop.chain.rpc('eth_sendRawTransaction', [raw]).catch(() => null);
  await api.confirm();
  expect(await statuses(refunds)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
  for (const { paymentId } of refunds) expect(await shop.status({ id: paymentId })).toBe('REFUND');
  expect((await report(sameFor(refunds, hash))).body.data.refunds.map(({ refusal }) => refusal)).toEqual([
    null,
    null,
    null,
  ]);
});

it('counts one payout for one of two refunds of one amount and address, however many processes verify', async () => {
  const refunds = [await owed(), await owed()];
  const [first] = refunds;
  if (!first) throw new Error('no refund');
  const hash = await api.payOut(first);
  await report(sameFor(refunds, hash));
  await shop.mine(CONFIRMATIONS);
  shop.gateway.clock.advanceSeconds(60);
  const verifier = shop.gateway.get(RefundVerifier);
  await Promise.all(Array.from({ length: 4 }, () => verifier.runOnce()));
  await api.verify();
  expect((await statuses(refunds)).sort()).toEqual(['COMPLETED', 'FAILED']);
});

it('reports all or none when it is killed halfway, and the rest of a payout that is verified halfway later', async () => {
  const refunds = [await owed(), await owed(OTHER)];
  const { body } = await prepare();
  const hash = await pay(body.data.safeBatch);
  const writer = shop.gateway.get(RefundsService);
  const write = writer.writeTransaction.bind(writer);
  const killed = jest
    .spyOn(writer, 'writeTransaction')
    .mockImplementationOnce(write)
    .mockRejectedValueOnce(new Error('killed'));
  expect((await report(sameFor(refunds, hash))).status).toBe(500);
  killed.mockRestore();
  expect(await statuses(refunds)).toEqual(['AWAITING_PAYMENT', 'AWAITING_PAYMENT']);

  expect((await report(sameFor(refunds, hash))).status).toBe(200);
  const mover = shop.gateway.get(PaymentStateMachine);
  const failing = jest.spyOn(mover, 'refund').mockRejectedValueOnce(new Error('killed'));
  await api.confirm();
  failing.mockRestore();
  expect((await statuses(refunds)).sort()).toEqual(['COMPLETED', 'PROCESSING']);
  await api.verify();
  expect(await statuses(refunds)).toEqual(['COMPLETED', 'COMPLETED']);
});

it('names the limits of gas for the wallet that pays, and the Safe in its file', async () => {
  await owed();
  await owed(CUSTOMER, 'usdt');
  const wallet = shop.chain.account(5);
  const { body } = await prepare({ wallet });
  // The wallet has the coin, and no token.
  expect(body.data.refunds.map(({ call }) => call?.gasLimit)).toEqual([25_200, null]);
  expect(JSON.parse(body.data.safeBatch ?? '')).toMatchObject({
    chainId: String(shop.chain.chainId),
    meta: { name: 'Pay 2 refunds on Ethereum' },
  });
});

it('says what it leaves out and what it cannot record, without holding up the rest', async () => {
  const [open, cancelled, unaddressed] = [await owed(), await owed(), await api.create(await api.paid())];
  expect((await api.post({ id: cancelled.paymentId }, `/${cancelled.id}/cancel`)).status).toBe(200);
  const elsewhere = await shop.application();
  const foreign = new RefundsApi(shop, elsewhere);
  const other = await foreign.create(await foreign.paid(), { address: CUSTOMER });
  const refundIds = [open, cancelled, unaddressed, other].map(({ id }) => id).concat(UNKNOWN);
  const { body } = await prepare({ refundIds });
  expect(body.data.refunds.map(({ refundId }) => refundId)).toEqual([open.id]);
  expect(body.data.leftOut).toEqual([
    { refundId: cancelled.id, reason: 'closed' },
    { refundId: unaddressed.id, reason: 'no_address' },
    { refundId: other.id, reason: 'unknown' },
    { refundId: UNKNOWN, reason: 'unknown' },
  ]);
  const hash = `0x${'ab'.repeat(32)}`;
  const answer = await report({ ...sameFor([open, cancelled, unaddressed, other], hash), [UNKNOWN]: hash });
  expect(answer.body.data.refunds.map(({ refusal }) => refusal)).toEqual([
    null,
    'closed',
    'no_address',
    'unknown',
    'unknown',
  ]);
  expect((await report({ [open.id]: 'no hash' })).body.data.refunds[0]?.refusal).toBe('not_a_hash');
  expect((await api.read(open)).txHash).toBe(hash);
});

it('is refused to others, and with fields that say nothing', async () => {
  const stranger = await createOwnerWithClient(shop.gateway);
  expect((await prepare({}, stranger.accessToken)).status).toBe(404);
  expect((await report({ [UNKNOWN]: '0x' }, stranger.accessToken)).status).toBe(404);
  expect((await prepare({}, application.clientToken)).status).toBe(401);
  for (const [body, field] of [
    [{ blockchain: undefined }, 'blockchain'],
    [{ blockchain: 'nowhere' }, 'blockchain'],
    [{ refundIds: [] }, 'refundIds'],
    [{ refundIds: ['abc'] }, 'refundIds'],
    [{ wallet: '0x12' }, 'wallet'],
  ] as const) {
    const { status, body: answer } = await prepare(body);
    expect([status, Object.keys(answer.errors ?? {})]).toEqual([422, [field]]);
  }
  for (const transactions of [{}, { abc: '0x' }, [], null]) {
    const { status, body } = await report(transactions as object);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['transactions']]);
  }
});
