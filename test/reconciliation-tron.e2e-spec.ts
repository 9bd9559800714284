/**
 * @inOrder One payment whose records are changed behind the gateway's back, and whose chain grows.
 */
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { readTronAddress } from '../src/chains/tron/tron-address.pure.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';
import { newTronKey, TronNode } from './support/tron-node.js';
import { transferContract } from './support/tron-shapes.js';

/** Account key m/44'/195'/0' of the BIP39 test words "abandon … about". */
const XPUB =
  'xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd';

describe('the reconciliation of Tron', () => {
  let node: TronNode;
  let shop: Shop;
  let application: ShopApplication;
  let paid: { payment: CreatedPayment; key: Buffer };

  beforeAll(async () => {
    node = await TronNode.start();
    shop = await Shop.open({
      CHAIN_TRON_RPC_URL: node.url,
      CHAIN_TRON_NETWORK: 'nile',
      WALLET_TRON_XPUB: XPUB,
    });
    shop.rates.setPrice('TRX', 'USD', '0.25');
    application = await shop.application();
    node.mine(10);
    await watch();
    paid = await asked();
    const payer = { key: paid.key, amount: 100_000_000n };
    node.pay([payer]);
    node.mine(3);
    node.solidify();
    // Three ways into one transaction, above the solidified block.
    node.pay([payer, { key: newTronKey(), amount: 5n }, payer]);
    node.mine(3);
    await watch();
  });
  afterAll(async () => {
    await shop?.close();
    await node?.stop();
  });

  async function watch(): Promise<void> {
    await shop.gateway.get(ChainWatcherService).drain('tron');
    await shop.settle();
  }

  async function asked() {
    const payment = await shop.createPayment(application);
    const key = readTronAddress((await shop.instructions(payment, 'trx', 'tron')).address);
    if (typeof key === 'string') throw new Error(key);
    return { payment, key };
  }

  const reconcile = () => shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });
  const ofPayment = async ({ id }: CreatedPayment) =>
    (await reconcile()).differences.filter(({ paymentId }) => paymentId === id);

  /** Behind the guards' back. */
  async function change(statement: string): Promise<void> {
    await shop.gateway.sql.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(`update payment_transfers set ${statement} where payment_id = $1`, [paid.payment.id]);
    });
  }

  it('finds recorded transfers in their transactions, and their sum equals the balance of the address', async () => {
    const rows = await shop.gateway.sql.query(
      'select ordinal from payment_transfers where payment_id = $1 order by block_height, ordinal',
      [paid.payment.id],
    );
    expect(rows).toEqual([{ ordinal: 'value' }, { ordinal: 'call:0' }, { ordinal: 'call:2' }]);
    expect(await reconcile()).toMatchObject({
      differenceCount: 0,
      notChecked: [],
      checked: { payments: 1, transfers: 3, transfersOnChain: 3, balances: 1 },
    });
  });

  it('finds recorded transfers whose blocks have since become final', async () => {
    node.mine(2);
    node.solidify();
    expect(await reconcile()).toMatchObject({ differenceCount: 0, checked: { balances: 1 } });
  });

  it.each([
    ['amount', 'amount = amount + 1', 'amount = amount - 1'],
    ['place', `ordinal = 'call:7' || ordinal`, `ordinal = substr(ordinal, 7)`],
    ['block', `block_hash = 'ab' || block_hash`, `block_hash = substr(block_hash, 3)`],
    ['transaction', `tx_hash = 'ab' || tx_hash`, `tx_hash = substr(tx_hash, 3)`],
  ])('reports another %s', async (_name, wrong, right) => {
    await change(wrong);
    expect(await ofPayment(paid.payment)).toContainEqual(
      expect.objectContaining({ check: 'transfer', chain: 'tron' }),
    );
    await change(right);
    expect(await reconcile()).toMatchObject({ differenceCount: 0 });
  });

  it('reports TRX from a contract that a node without internal transactions did not show', async () => {
    const { payment, key } = await asked();
    node.savesInternal = false;
    node.pay([
      { key, amount: 400_000_000n },
      { key: newTronKey(), amount: 5n },
    ]);
    node.mine();
    node.solidify();
    await watch();
    node.savesInternal = true;
    expect(await shop.status(payment)).toBe('OPEN');
    expect(await ofPayment(payment)).toEqual([
      expect.objectContaining({
        check: 'balance',
        expected: '400000000, which it holds',
        found: 'credited 0',
      }),
    ]);
  });

  it('does not compare an address that has sent, nor any when the node has no solidified balances', async () => {
    const before = (await reconcile()).checked;
    node.submit(transferContract(paid.key, newTronKey(), 1n));
    node.mine();
    node.solidify();
    await watch();
    const { checked } = await reconcile();
    expect(checked).toMatchObject({
      balances: before.balances,
      balancesSpent: before.balancesSpent + 1,
    });
    node.hidden.add('walletsolidity/getaccount');
    expect(await reconcile()).toMatchObject({ differenceCount: 0, notChecked: [], checked: { balances: 0 } });
  });
});
