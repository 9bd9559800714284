import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { type Hex } from './support/anvil.js';
import { rawTransaction } from './support/evm-chain.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

/** Pays its whole balance to the address in its first storage slot, for any caller. */
const PAYER =
  // Creation: the 15 bytes behind these 12.
  '0x600f600c600039600f6000f3' +
  // CALL(gas, sload(0), selfbalance, 0, 0, 0, 0)
  '600060006000600047600054' +
  '5af100';
/** In wei; what a payment of the shop asks for. */
const DUE = 5n * 10n ** 16n;
const ELSEWHERE: Hex = `0x${'12'.repeat(20)}`;

let shop: Shop;
let application: ShopApplication;
beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application();
});
afterAll(() => shop.close());

/** What a call does depends on what the contract holds, and on whom it is to pay. */
interface Effect {
  payee: string;
  amount: bigint;
}

const toWord = (value: string | bigint) =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`;
const pad = (amount: bigint) => `0x${amount.toString(16)}`;

class Payer {
  private constructor(private readonly address: Hex) {}

  static async deploy(): Promise<Payer> {
    const hash = await shop.chain.send({ data: PAYER as Hex });
    await shop.chain.mine();
    const receipt = await shop.chain.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [hash]);
    return new Payer(receipt.contractAddress);
  }

  async prepare({ payee, amount }: Effect): Promise<void> {
    await shop.chain.rpc('anvil_setBalance', [this.address, pad(amount)]);
    await shop.chain.rpc('anvil_setStorageAt', [this.address, toWord(0n), toWord(payee.toLowerCase())]);
    await shop.chain.mine();
  }

  /** Calls it, and has the gateway see the block. */
  async call(): Promise<string> {
    const hash = await shop.chain.send({ to: this.address, from: shop.chain.account(1) });
    await shop.chain.mine();
    await shop.watch();
    return rawTransaction(shop.chain, hash as Hex);
  }

  /** The very same transaction in another block of another branch, where it finds another state. */
  async callAgain(raw: string, effect: Effect): Promise<void> {
    await shop.chain.reorg(1);
    await this.prepare(effect);
    await shop.chain.rpc('eth_sendRawTransaction', [raw]);
    await shop.chain.mine();
    await shop.watch();
  }
}

async function newPayment() {
  const payment = await shop.createPayment(application);
  const { address } = await shop.instructions(payment);
  await shop.settle();
  return { payment, address };
}

/** Each transfer with its amount in wei. */
async function transfersOf(payment: { id: string }): Promise<string[]> {
  const rows = await shop.gateway.sql.query<{ state: string; amount: string }>(
    'select state, amount from payment_transfers where payment_id = $1 order by state, amount',
    [payment.id],
  );
  return rows.map(({ state, amount }) => `${state} ${amount}`);
}

const differences = async () => {
  const report = await shop.gateway.get(Reconciliation).run({ limit: 10, budget: null });
  return report.differences;
};

describe('a transaction that is mined again with another effect', () => {
  it('counts for the smaller amount that it pays there', async () => {
    const { payment, address } = await newPayment();
    const payer = await Payer.deploy();
    await payer.prepare({ payee: address, amount: DUE });
    const raw = await payer.call();
    expect(await transfersOf(payment)).toEqual([`pending ${DUE}`]);
    await payer.callAgain(raw, { payee: address, amount: DUE / 5n });
    expect(await transfersOf(payment)).toEqual([`orphaned ${DUE}`, `pending ${DUE / 5n}`]);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('UNDERPAID');
    expect(await transfersOf(payment)).toEqual([`confirmed ${DUE / 5n}`, `orphaned ${DUE}`]);
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['it moves nothing', 0n],
    ['it pays another address', DUE],
  ])('counts for nothing when %s there', async (_name, amount) => {
    const { payment, address } = await newPayment();
    const payer = await Payer.deploy();
    await payer.prepare({ payee: address, amount: DUE });
    const raw = await payer.call();
    expect(await shop.status(payment)).toBe('FOUND');
    await payer.callAgain(raw, { payee: ELSEWHERE, amount });
    // The look behind the newest block's.
    await shop.watch();
    expect([await shop.status(payment), await transfersOf(payment)]).toEqual(['OPEN', [`orphaned ${DUE}`]]);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('OPEN');
    expect(await differences()).toEqual([]);
  });

  it('counts for the payment that it pays there, and no longer for the other', async () => {
    const [first, second] = [await newPayment(), await newPayment()];
    const payer = await Payer.deploy();
    await payer.prepare({ payee: first.address, amount: DUE });
    const raw = await payer.call();
    await payer.callAgain(raw, { payee: second.address, amount: DUE });
    expect([await shop.status(first.payment), await shop.status(second.payment)]).toEqual(['OPEN', 'FOUND']);
    await shop.mine(CONFIRMATIONS);
    expect([await transfersOf(first.payment), await transfersOf(second.payment)]).toEqual([
      [`orphaned ${DUE}`],
      [`confirmed ${DUE}`],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('counts once, also after several changes', async () => {
    const { payment, address } = await newPayment();
    const payer = await Payer.deploy();
    await payer.prepare({ payee: address, amount: DUE });
    const raw = await payer.call();
    for (const amount of [DUE / 2n, 0n, DUE / 2n, DUE])
      await payer.callAgain(raw, { payee: address, amount });
    const [live, ...given] = (await transfersOf(payment)).toReversed();
    expect([live, given.every((one) => one.startsWith('orphaned'))]).toEqual([`pending ${DUE}`, true]);
    await shop.mine(CONFIRMATIONS);
    expect(['RECEIVED', 'CONFIRMED']).toContain(await shop.status(payment));
    expect((await transfersOf(payment)).filter((one) => !one.startsWith('orphaned'))).toEqual([
      `confirmed ${DUE}`,
    ]);
    expect(await differences()).toEqual([]);
  });
});
