import type { Hex } from './support/anvil.js';
import { FakeToken, Forwarder, MultiSend } from './support/contracts/artifacts.js';
import { rawTransaction } from './support/evm-chain.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const ETHER = 10n ** 18n;
const DUE = ETHER / 20n;

describe('the chain watcher', () => {
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application();
  });
  afterAll(() => shop.close());

  /** A payment with its address, and the address itself. */
  async function asked(method = 'eth', fields: Record<string, unknown> = {}) {
    const payment = await shop.createPayment(application, fields);
    const instructions = await shop.instructions(payment, method);
    return { payment, instructions, address: instructions.address as Hex };
  }

  async function transferRows({ id }: CreatedPayment) {
    return shop.gateway.sql.query<{ ordinal: string; state: string; amount: string }>(
      'select ordinal, state, amount from payment_transfers where payment_id = $1 order by ordinal',
      [id],
    );
  }

  describe('credits', () => {
    it("a contract's internal transfer", async () => {
      const { payment, address } = await asked();
      const forwarder = await shop.chain.deploy(Forwarder, [address]);
      await shop.chain.sendEth({ to: forwarder.address, value: DUE });
      await shop.mine(CONFIRMATIONS);
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CONFIRMED',
        receivedAmount: { amount: 10_000 },
      });
      expect(await transferRows(payment)).toEqual([
        { ordinal: 'call:0', state: 'confirmed', amount: String(DUE) },
      ]);
    });

    it('each transfer of one transaction once, also to two payments', async () => {
      const [ether, tether] = [await asked(), await asked('usdt')];
      const multi = await shop.chain.deploy(MultiSend);
      await shop.chain.sendToken({ token: shop.tokens.USDT, to: multi.address, value: 100_000_000n });
      const zero = '0x0000000000000000000000000000000000000000';
      const sends = [
        { token: zero, to: ether.address, value: DUE / 2n },
        { token: shop.tokens.USDT, to: tether.address, value: 40_000_000n },
        { token: zero, to: ether.address, value: DUE / 2n },
        { token: shop.tokens.USDT, to: tether.address, value: 60_000_000n },
      ] as const;
      await shop.chain.call(multi, 'send', [sends], { value: DUE });
      await shop.mine(CONFIRMATIONS);
      for (const { payment } of [ether, tether]) {
        expect(await shop.payment(payment)).toMatchObject({
          status: 'CONFIRMED',
          receivedAmount: { amount: 10_000 },
        });
      }
      expect((await transferRows(ether.payment)).map((row) => row.ordinal)).toEqual(['call:0', 'call:2']);
      expect((await transferRows(tether.payment)).map((row) => row.ordinal)).toEqual(['log:0', 'log:1']);
    });
  });

  describe('credits nothing for', () => {
    it('a token that imitates a listed one', async () => {
      const { payment, address } = await asked('usdt');
      const fake = await shop.chain.deploy(FakeToken, ['Tether USD', 'USDT']);
      await shop.chain.call(fake, 'transfer', [address, 100_000_000n]);
      await shop.chain.call(fake, 'forge', [shop.tokens.USDT, address, 100_000_000n]);
      await shop.mine(CONFIRMATIONS);
      expect(await shop.payment(payment)).toMatchObject({ status: 'OPEN', transactions: [] });
    });

    it('a listed but unmatched asset, which is shown', async () => {
      const { payment, address } = await asked('eth');
      await shop.chain.sendToken({ token: shop.tokens.USDC, to: address, value: 100_000_000n });
      await shop.mine(CONFIRMATIONS);
      expect(await shop.payment(payment)).toMatchObject({
        status: 'OPEN',
        receivedAmount: { amount: 0 },
        transactions: [{ currencyCode: 'USDC', status: 'CONFIRMED', creditedAmount: { amount: 0 } }],
      });
    });

    it('a canceled payment, but records what arrived', async () => {
      const { payment, instructions } = await asked();
      await shop.call('POST', `/api/payment/${payment.id}/cancel`, application.clientToken);
      await shop.send(instructions);
      await shop.mine(CONFIRMATIONS);
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CANCELLED',
        reviewReason: 'funds_after_cancel',
        transactions: [{ status: 'CONFIRMED' }],
      });
      expect(shop.events(payment)).toEqual([]);
    });
  });

  describe('survives a reorg', () => {
    it('of three blocks that drops the payment before RECEIVED: OPEN again, and payable again', async () => {
      const { payment, instructions } = await asked();
      const txHash = await shop.send(instructions);
      await shop.mine(3);
      expect(await shop.status(payment)).toBe('FOUND');
      await shop.chain.reorg(3);
      await shop.settle();
      expect(await shop.payment(payment)).toMatchObject({
        status: 'OPEN',
        foundAt: null,
        transactions: [{ txHash, status: 'ORPHANED', confirmations: 0 }],
      });
      expect(shop.events(payment)).toEqual([]);
      await shop.send(instructions);
      await shop.mine(CONFIRMATIONS);
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CONFIRMED',
        receivedAmount: { amount: 10_000 },
      });
    });

    it('that mines the same transaction again at another log index: credited once', async () => {
      const payer = shop.chain.account(1);
      await shop.chain.sendToken({ token: shop.tokens.USDT, to: payer, value: 7n });
      await shop.mine();
      const { payment, instructions } = await asked('usdt');
      const txHash = await shop.send(instructions);
      const raw = await rawTransaction(shop.chain, txHash);
      await shop.mine();
      const before = await shop.chain.receipt(txHash);
      const rows = await transferRows(payment);
      // In the new branch another transfer of the same token stands before it in its block.
      const other = { from: payer, to: shop.tokens.USDT, data: transferCall(shop.chain.account(2), 7n) };
      await shop.chain.reorg(1, [
        [other, 0],
        [raw, 0],
      ]);
      await shop.settle();
      const after = await shop.chain.receipt(txHash);
      expect(after?.blockHash).not.toBe(before?.blockHash);
      expect(after?.logs[0]?.logIndex).not.toBe(before?.logs[0]?.logIndex);
      await shop.mine(CONFIRMATIONS);
      expect(await transferRows(payment)).toEqual(rows.map((row) => ({ ...row, state: 'confirmed' })));
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CONFIRMED',
        receivedAmount: { amount: 10_000 },
        overpaidAmount: null,
      });
    });

    it('after RECEIVED and before the webhook was sent: not announced until the payment is received again', async () => {
      const { payment, instructions } = await asked();
      await shop.merchant.down();
      await shop.send(instructions);
      await shop.mine(CONFIRMATIONS);
      expect(await shop.status(payment)).toBe('RECEIVED');
      await shop.chain.reorg(CONFIRMATIONS);
      await shop.settle();
      expect(await shop.payment(payment)).toMatchObject({
        status: 'OPEN',
        reviewReason: 'reorg',
        receivedAmount: { amount: 0 },
        settledAmount: null,
      });
      await shop.merchant.up();
      shop.gateway.clock.advanceSeconds(300);
      await shop.settle();
      expect(shop.events(payment)).toEqual([]);
      await shop.send(instructions);
      await shop.mine(CONFIRMATIONS);
      expect(await shop.status(payment)).toBe('CONFIRMED');
      expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    });

    it('after CONFIRMED: the status stays, with a review reason', async () => {
      const { payment, instructions } = await asked();
      await shop.send(instructions);
      await shop.mine(CONFIRMATIONS);
      expect(await shop.status(payment)).toBe('CONFIRMED');
      await shop.chain.reorg(CONFIRMATIONS);
      await shop.settle();
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CONFIRMED',
        reviewReason: 'reorg',
        transactions: [{ status: 'ORPHANED' }],
      });
    });
  });

  it('never gives two of 50 concurrent payments the same address or index', async () => {
    const payments = await Promise.all(Array.from({ length: 50 }, () => shop.createPayment(application)));
    // Three customers' tabs each: the same payment keeps one address.
    const shown = await Promise.all(
      [...payments, ...payments, ...payments].map((payment) => shop.instructions(payment)),
    );
    expect(new Set(shown.map(({ address }) => address)).size).toBe(50);
    const rows = await shop.gateway.sql.query<{ index: string }>(
      'select derivation_index as index from deposit_addresses order by derivation_index',
    );
    expect(rows.map((row) => Number(row.index))).toEqual(rows.map((_, i) => i));
    const [wallet] = await shop.gateway.sql.query<{ next_index: string }>('select next_index from wallets');
    expect(Number(wallet?.next_index)).toBe(rows.length);
  });
});

/** Call data of an ERC-20 transfer. */
function transferCall(to: Hex, value: bigint): Hex {
  return `0xa9059cbb${to.slice(2).padStart(64, '0')}${value.toString(16).padStart(64, '0')}`;
}
