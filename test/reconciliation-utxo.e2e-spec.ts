/**
 * @inOrder One payment whose records are changed behind the gateway's back, and whose chain grows.
 */
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { changed, RpcProxy } from './support/rpc-proxy.js';
import { Shop } from './support/shop.js';
import { bitcoinAccount, scriptOf } from './support/utxo-account.js';
import { newScriptKey } from './support/utxo-chain.js';

const ACCOUNT = bitcoinAccount(Buffer.alloc(32, 9));
/** 100 USD at 50,000 USD for a bitcoin. */
const DUE = 200_000n;

describeWithNode('the reconciliation on a UTXO chain', () => {
  let node: UtxoNode;
  let shop: Shop;
  let paymentId: string;
  let proxy: RpcProxy;
  let key: Buffer;

  beforeAll(async () => {
    node = await startUtxoNode();
    proxy = await RpcProxy.start(node.url);
    shop = await Shop.open({
      CHAIN_BITCOIN_RPC_URL: proxy.url,
      CHAIN_BITCOIN_NETWORK: 'regtest',
      WALLET_BITCOIN_XPUB: ACCOUNT.publicExtendedKey,
    });
    shop.rates.setPrice('BTC', 'USD', '50000');
    const payment = await shop.createPayment(await shop.application());
    const { address } = await shop.instructions(payment, 'btc', 'bitcoin');
    key = scriptOf(ACCOUNT, address);
    await shop.gateway.get(ChainWatcherService).drain('bitcoin');
    await node.pay([{ key, amount: DUE }]);
    await node.mine(2);
    await shop.gateway.get(ChainWatcherService).drain('bitcoin');
    await shop.settle();
    paymentId = payment.id;
  });
  afterAll(async () => {
    await shop?.close();
    await proxy?.stop();
    await node?.stop();
  });

  const reconcile = () => shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });

  /** Behind the guards' back. */
  async function change(statement: string): Promise<void> {
    await shop.gateway.sql.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(statement, [paymentId]);
    });
  }

  it('finds the recorded transfer in its block', async () => {
    expect(await reconcile()).toMatchObject({
      differenceCount: 0,
      notChecked: [],
      checked: { payments: 1, transfers: 1, transfersOnChain: 1, balances: 1, balancesSpent: 0 },
    });
  });

  it.each([
    ['amount', 'amount = amount + 1', 'amount = amount - 1'],
    ['output', `ordinal = 'vout:7' || ordinal`, `ordinal = substr(ordinal, 7)`],
    ['block', `block_hash = 'ab' || block_hash`, `block_hash = substr(block_hash, 3)`],
    ['transaction', `tx_hash = 'ab' || tx_hash`, `tx_hash = substr(tx_hash, 3)`],
  ])('reports another %s', async (_name, wrong, right) => {
    await change(`update payment_transfers set ${wrong} where payment_id = $1`);
    const { differences } = await reconcile();
    expect(differences).toContainEqual(
      expect.objectContaining({ check: 'transfer', chain: 'bitcoin', paymentId }),
    );
    await change(`update payment_transfers set ${right} where payment_id = $1`);
    expect(await reconcile()).toMatchObject({ differenceCount: 0 });
  });

  it('reports a credit that the records lack, by the outputs of the address', async () => {
    // What comes in the same moment as the settlement would count as settled.
    shop.gateway.clock.advanceSeconds(60);
    const txHash = await node.pay([
      { key: newScriptKey(), amount: 5n },
      { key, amount: 1_234n },
    ]);
    await node.mine(2);
    // Not applied yet: nothing to be found.
    expect(await reconcile()).toMatchObject({ differenceCount: 0 });
    await shop.gateway.get(ChainWatcherService).drain('bitcoin');
    await shop.settle();
    expect(await reconcile()).toMatchObject({
      differences: [],
      checked: { transfersOnChain: 2, balances: 1 },
    });
    await change(`delete from payment_transfers where payment_id = $1 and amount = 1234`);
    const { differences } = await reconcile();
    expect(differences).toContainEqual({
      check: 'balance',
      chain: 'bitcoin',
      paymentId,
      subject: expect.stringContaining(`transfer ${txHash} vout:1 at bcrt1`) as unknown,
      expected: expect.stringMatching(/^1234 in block \d+, which it holds$/) as unknown,
      found: 'nothing',
    });
    // Who has little time is not made to wait for a scan.
    const quick = await shop.gateway.get(Reconciliation).run({ limit: 100, budget: 45_000 });
    expect(quick).toMatchObject({ checked: { balances: 0 } });
    expect(quick.differences.filter(({ check }) => check === 'balance')).toEqual([]);
  });

  it('reports what was left out when the node refuses the scan or does not support it', async () => {
    proxy.setFaults({
      scantxoutset: ({ id }) => ({ id, error: { code: -8, message: 'Scan already in progress' } }),
    });
    const refused = await reconcile();
    expect(refused.notChecked).toEqual([
      'bitcoin: what its addresses hold: scantxoutset: Scan already in progress',
    ]);
    expect(refused.checked).toMatchObject({ transfersOnChain: 1, balances: 0 });
    proxy.hide(['scantxoutset']);
    expect(await reconcile()).toMatchObject({ notChecked: [], checked: { balances: 0 } });
    proxy.hide([]);
    proxy.setFaults({ scantxoutset: changed((result: object) => ({ ...result, success: false })) });
    expect((await reconcile()).notChecked).toHaveLength(1);
    proxy.setFaults({});
  });
});
