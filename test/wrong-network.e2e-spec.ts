/**
 * @inOrder Two chains, whose records are compared at the end.
 */
import { rawTransaction } from './support/evm-chain.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './support/shop.js';
import { BSC_CONFIRMATIONS, DUE_BNB, TwoChains } from './support/two-chains.js';

interface StatusView {
  status: string;
  unmatchedTransactions: { id: string; blockchain: string }[];
  warnings: string[];
}

let chains: TwoChains;
let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  chains = await TwoChains.open();
  shop = chains.shop;
  application = await shop.application();
});
afterAll(() => chains.close());

const create = (fields: Record<string, unknown> = {}) => shop.createPayment(application, fields);
const publicStatus = async (payment: CreatedPayment) =>
  (await shop.checkout<StatusView>(payment, `payment/${payment.id}`)).body.data;
const accept = (payment: CreatedPayment, transferId?: unknown) =>
  chains.accept(application, payment, transferId);
/** The owner's payments with or without something to accept. */
const list = async (unmatchedFunds: string) => {
  const path = `/api/payment?per_page=100&unmatchedFunds=${unmatchedFunds}`;
  const answer = await shop.call<{ id: string }[]>('GET', path, shop.owner.accessToken);
  return { status: answer.status, ids: answer.status === 200 ? answer.body.data.map(({ id }) => id) : [] };
};

/** One key serves every EVM chain, so what comes to the wrong one is seen; read this first. */
describe('funds on the wrong network', () => {
  it('are shown to merchant and customer, accepted at the current rate, and settle the payment', async () => {
    const payment = await create();
    const before = await publicStatus(payment);
    expect(before).toMatchObject({ unmatchedTransactions: [], warnings: [] });

    // Asked for: 0.05 ETH on Ethereum. Sent: 0.2 BNB on BNB Smart Chain, to the same address.
    const txHash = await chains.sendBnb(payment, { blocks: BSC_CONFIRMATIONS });
    const seen = await shop.payment(payment);
    expect(seen).toMatchObject({
      status: 'OPEN',
      foundAt: null,
      reviewReason: null,
      receivedAmount: { amount: 0 },
      transactions: [
        {
          txHash,
          blockchain: 'bsc',
          currencyCode: 'BNB',
          status: 'CONFIRMED',
          matched: false,
          acceptable: true,
          acceptedAt: null,
          creditedAmount: { amount: 0 },
        },
      ],
    });
    expect(await publicStatus(payment)).toMatchObject({
      status: 'OPEN',
      unmatchedTransactions: [{ id: seen.transactions[0]?.id, blockchain: 'bsc' }],
      warnings: ['0.20000000 BNB on BNB Smart Chain arrived, but this payment asks for ETH on Ethereum.'],
    });

    // Since then the coin has gained: 0.2 BNB are worth 125 of the 100 dollars.
    shop.rates.setPrice('BNB', 'USD', '625');
    await shop.wait(30);
    const accepted = await accept(payment);
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'RECEIVED',
          receivedAmount: { amount: 12_500 },
          overpaidAmount: { amount: 2_500 },
          transactions: [
            {
              matched: true,
              acceptable: false,
              acceptedAt: expect.any(String),
              creditedAmount: { amount: 12_500 },
            },
          ],
        },
      },
    });
    shop.rates.setPrice('BNB', 'USD', '500');
    await shop.wait(30);
    await chains.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    expect(await publicStatus(payment)).toMatchObject({ unmatchedTransactions: [], warnings: [] });

    // Who accepted it is on record; again is no second time.
    expect(await chains.acceptances(payment)).toEqual([
      expect.objectContaining({
        accepted_transfer_id: seen.transactions[0]?.id,
        accepted_by: shop.owner.userId,
        accepted_token_id: expect.any(String),
        rate: '625',
        rate_inputs: [expect.objectContaining({ value: '625' }), expect.objectContaining({ value: '625' })],
      }),
    ]);
    expect(await accept(payment)).toMatchObject({ status: 200, body: { data: { status: 'CONFIRMED' } } });
    expect(await chains.acceptances(payment)).toHaveLength(1);
    await chains.settle();
    expect(shop.events(payment)).toHaveLength(2);
  });

  it('are found in the list of payments', async () => {
    const [payment, other] = [await create(), await create()];
    await chains.sendBnb(payment);
    expect((await list('true')).ids).toContain(payment.id);
    expect((await list('true')).ids).not.toContain(other.id);
    expect((await list('false')).ids).toContain(other.id);
    expect((await list('false')).ids).not.toContain(payment.id);
    await accept(payment);
    expect((await list('true')).ids).not.toContain(payment.id);
    expect((await list('yes')).status).toBe(422);
  });

  it('count only once confirmed, when they are accepted before', async () => {
    const payment = await create();
    await chains.sendBnb(payment);
    expect(await accept(payment)).toMatchObject({
      body: { data: { status: 'FOUND', receivedAmount: { amount: 0 } } },
    });
    await chains.mineBsc(BSC_CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
    });
  });

  it('pay a part, and the customer pays the remainder as instructed', async () => {
    const payment = await create();
    await chains.sendBnb(payment, { amount: DUE_BNB / 4n, blocks: BSC_CONFIRMATIONS });
    expect(await accept(payment)).toMatchObject({
      body: { data: { status: 'UNDERPAID', underpaidAmount: { amount: 7_500 } } },
    });
    const rest = await shop.instructions(payment);
    expect(rest.blockchain.slug).toBe('ethereum');
    expect(rest.remainingAmount.atomic).toBe('37500000000000000');
    await shop.send(rest, BigInt(rest.remainingAmount.atomic));
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      overpaidAmount: null,
    });
  });

  it('leave the customer time for the rest when underpayments are accepted automatically', async () => {
    const lenient = await shop.application({ allowUnderpay: true, underpayLeastShareBps: 1 });
    const payment = await shop.createPayment(lenient);
    await chains.sendBnb(payment, { amount: DUE_BNB / 2n, blocks: BSC_CONFIRMATIONS });
    await shop.wait(3_600);
    expect(await chains.accept(lenient, payment)).toMatchObject({ body: { data: { status: 'UNDERPAID' } } });
    await shop.wait(899);
    await chains.settle();
    expect(await shop.status(payment)).toBe('UNDERPAID');
    await shop.wait(1);
    await chains.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('are accepted one transfer at a time', async () => {
    const payment = await create();
    await chains.sendBnb(payment, { amount: DUE_BNB / 2n });
    await accept(payment);
    await chains.sendBnb(payment, { amount: DUE_BNB / 2n, blocks: BSC_CONFIRMATIONS });
    const [first, second] = await chains.transactions(payment);
    expect([first, second]).toMatchObject([
      { matched: true, acceptable: false },
      { matched: false, acceptable: true, creditedAmount: { amount: 0 } },
    ]);
    expect(await shop.status(payment)).toBe('UNDERPAID');
    await accept(payment, second?.id);
    await chains.settle();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
    });
  });

  it('match the payment when the customer had chosen that method before they arrived', async () => {
    const payment = await create();
    await shop.instructions(payment, 'bnb', 'bsc');
    await chains.sendBnb(payment);
    expect(await chains.transferOf(payment)).toMatchObject({
      matched: true,
      acceptable: false,
      acceptedAt: null,
    });
    // There is nothing to accept, and no harm in trying.
    expect(await accept(payment)).toMatchObject({ status: 200, body: { data: { status: 'FOUND' } } });
    expect(await chains.acceptances(payment)).toEqual([]);
  });
});

describe('funds in the wrong token', () => {
  it('on the right network are handled the same when listed', async () => {
    const payment = await create();
    const to = await chains.addressOf(payment);
    await shop.chain.sendToken({ token: shop.tokens.USDC, to, value: 100_000_000n });
    await shop.mine(CONFIRMATIONS);
    expect(await publicStatus(payment)).toMatchObject({
      warnings: ['100.000000 USDC on Ethereum arrived, but this payment asks for ETH on Ethereum.'],
    });
    await accept(payment);
    await chains.settle();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      overpaidAmount: null,
    });
  });

  it('on the wrong network are handled the same when listed there with other decimals', async () => {
    const payment = await create();
    const to = await chains.addressOf(payment);
    await chains.bsc.sendToken({ token: chains.usdt, to, value: 100n * 10n ** 18n });
    await chains.mineBsc(BSC_CONFIRMATIONS);
    await accept(payment);
    await chains.settle();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
    });
  });

  it('are not recorded when unlisted, so they cannot be accepted', async () => {
    const payment = await create();
    const to = await chains.addressOf(payment);
    await chains.bsc.sendToken({ token: chains.unlisted, to, value: 100n * 10n ** 18n });
    await chains.mineBsc(BSC_CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({ status: 'OPEN', transactions: [] });
    expect(await publicStatus(payment)).toMatchObject({ unmatchedTransactions: [], warnings: [] });
  });
});

describe('a reorg', () => {
  it('removes accepted funds, and counts them once when they are mined again', async () => {
    const payment = await create();
    const txHash = await chains.sendBnb(payment, { blocks: BSC_CONFIRMATIONS });
    await shop.merchant.down();
    await accept(payment);
    await chains.settle();
    expect(await shop.status(payment)).toBe('RECEIVED');

    const raw = await rawTransaction(chains.bsc, txHash);
    await chains.reorgBsc(BSC_CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'OPEN',
      receivedAmount: { amount: 0 },
      reviewReason: 'reorg',
      transactions: [
        { txHash, status: 'ORPHANED', matched: true, acceptable: false, creditedAmount: { amount: 0 } },
      ],
    });
    // The decision stands: to repeat it is no error, and there is one fact of it.
    expect(await accept(payment)).toMatchObject({ status: 200, body: { data: { status: 'OPEN' } } });

    await shop.merchant.up();
    await chains.bsc.rpc('eth_sendRawTransaction', [raw]);
    await chains.mineBsc();
    expect(await shop.status(payment)).toBe('FOUND');
    await chains.mineBsc(BSC_CONFIRMATIONS);
    await shop.wait(60);
    await chains.settle();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      overpaidAmount: null,
    });
    expect(await chains.transactions(payment)).toHaveLength(1);
    expect(await chains.acceptances(payment)).toHaveLength(1);
    expect(shop.events(payment).filter((event) => event === 'payment.completed')).toHaveLength(1);
  });

  it('before the acceptance leaves nothing to accept until the funds are mined again', async () => {
    const payment = await create();
    const txHash = await chains.sendBnb(payment);
    const { id } = await chains.transferOf(payment);
    const raw = await rawTransaction(chains.bsc, txHash);
    await chains.reorgBsc(1);
    expect(await chains.transferOf(payment)).toMatchObject({ status: 'ORPHANED', acceptable: false });
    expect(await publicStatus(payment)).toMatchObject({ unmatchedTransactions: [], warnings: [] });
    expect(await accept(payment, id)).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_state_transition',
        message: 'This transfer is no longer on the blockchain; it can be accepted if it appears again',
      },
    });
    await chains.bsc.rpc('eth_sendRawTransaction', [raw]);
    await chains.mineBsc();
    expect(await chains.transferOf(payment)).toMatchObject({ id, status: 'PENDING', acceptable: true });
    expect(await accept(payment, id)).toMatchObject({ status: 200, body: { data: { status: 'FOUND' } } });
  });
});

describe('the records', () => {
  it('agree with both chains afterwards', async () => {
    const waiting = await create();
    await chains.sendBnb(waiting);
    const report = await chains.reconcile();
    expect(report).toMatchObject({ differences: [], consistent: true });
    expect(report.unattributed.map(({ paymentId }) => paymentId)).toContain(waiting.id);
    const accepted = await shop.gateway.sql.query(
      'select from quotes where accepted_transfer_id is not null',
    );
    expect(accepted.length).toBeGreaterThan(5);
  });
});
