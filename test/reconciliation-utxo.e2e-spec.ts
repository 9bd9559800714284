import { HDKey } from '@scure/bip32';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { utxoAddress } from '../src/chains/utxo/utxo-address.js';
import { Reconciliation } from '../src/reconciliation/reconciliation.service.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { Shop } from './support/shop.js';

const VPUB = { private: 0x045f18bc, public: 0x045f1cf6 };
const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 9), VPUB).derive("m/84'/1'/0'");
/** 100 USD at 50,000 USD for a bitcoin. */
const DUE = 200_000n;

describeWithNode("the reconciliation on a chain of Bitcoin's kind", () => {
  let node: UtxoNode;
  let shop: Shop;
  let paymentId: string;

  beforeAll(async () => {
    node = await startUtxoNode();
    shop = await Shop.open({
      CHAIN_BITCOIN_RPC_URL: node.url,
      CHAIN_BITCOIN_NETWORK: 'regtest',
      WALLET_BITCOIN_XPUB: ACCOUNT.publicExtendedKey,
      CHAIN_POLL_INTERVAL_MS: '50',
    });
    shop.rates.setPrice('BTC', 'USD', '50000');
    const payment = await shop.createPayment(await shop.application());
    const { address } = await shop.instructions(payment, 'btc', 'bitcoin');
    const { publicKey } = ACCOUNT.deriveChild(0).deriveChild(0);
    const derived = publicKey && utxoAddress(publicKey, 'bitcoin', 'regtest', 'p2wpkh');
    if (derived?.address !== address) throw new Error(`${address} is not the first of the account`);
    await shop.gateway.get(ChainWatcherService).drain('bitcoin');
    await node.pay([{ key: derived.key, amount: DUE }]);
    await node.mine(2);
    await shop.gateway.get(ChainWatcherService).drain('bitcoin');
    await shop.settle();
    paymentId = payment.id;
  });
  afterAll(async () => {
    await shop?.close();
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
      checked: { payments: 1, transfers: 1, transfersOnChain: 1, balances: 0 },
    });
  });

  it.each([
    ['amount', 'amount = amount + 1', 'amount = amount - 1'],
    ['output', `ordinal = 'vout:7' || ordinal`, `ordinal = substr(ordinal, 7)`],
    ['block', `block_hash = 'ab' || block_hash`, `block_hash = substr(block_hash, 3)`],
    ['transaction', `tx_hash = 'ab' || tx_hash`, `tx_hash = substr(tx_hash, 3)`],
  ])('finds another %s', async (_name, wrong, right) => {
    await change(`update payment_transfers set ${wrong} where payment_id = $1`);
    const { differences } = await reconcile();
    expect(differences).toContainEqual(
      expect.objectContaining({ check: 'transfer', chain: 'bitcoin', paymentId }),
    );
    await change(`update payment_transfers set ${right} where payment_id = $1`);
    expect(await reconcile()).toMatchObject({ differenceCount: 0 });
  });
});
