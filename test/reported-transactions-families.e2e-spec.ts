import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { readTronAddress } from '../src/chains/tron/tron-address.pure.js';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { TransactionSearch } from '../src/chain-watcher/transaction-search.service.js';
import type { CheckoutStatusContract } from '../src/checkout/checkout.contract.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';
import { skipBlock } from './support/skipped-blocks.js';
import { TronNode } from './support/tron-node.js';
import { bitcoinAccount, scriptOf } from './support/utxo-account.js';
import { newScriptKey } from './support/utxo-chain.js';

const BITCOIN = bitcoinAccount(Buffer.alloc(32, 5));
const TRON = HDKey.fromMasterSeed(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)).derive(
  "m/44'/195'/0'",
);
/** 100 USD at 50,000 USD for a bitcoin, and at a quarter of a dollar for a TRX. */
const DUE_BTC = 200_000n;
const DUE_TRX = 400_000_000n;

describeWithNode('a reported transaction of another family', () => {
  let bitcoin: UtxoNode;
  let tron: TronNode;
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    [bitcoin, tron] = await Promise.all([startUtxoNode(), TronNode.start()]);
    shop = await Shop.open({
      CHAIN_BITCOIN_RPC_URL: bitcoin.url,
      CHAIN_BITCOIN_NETWORK: 'regtest',
      WALLET_BITCOIN_XPUB: BITCOIN.publicExtendedKey,
      CHAIN_TRON_RPC_URL: tron.url,
      CHAIN_TRON_NETWORK: 'nile',
      WALLET_TRON_XPUB: TRON.publicExtendedKey,
    });
    shop.rates.setPrice('BTC', 'USD', '50000');
    shop.rates.setPrice('TRX', 'USD', '0.25');
    application = await shop.application();
    tron.mine(200);
    tron.solidify();
    await watch();
  });
  afterAll(async () => {
    await shop?.close();
    await Promise.all([bitcoin?.stop(), tron?.stop()]);
  });

  async function watch(): Promise<void> {
    for (const chain of ['bitcoin', 'tron']) await shop.gateway.get(ChainWatcherService).drain(chain);
    await shop.settle();
  }

  async function asked(method: string, provider: string) {
    const payment = await shop.createPayment(application);
    return { payment, instructions: await shop.instructions(payment, method, provider) };
  }

  async function report(payment: CreatedPayment, txHash: string): Promise<void> {
    const path = `/api/checkout/payment/${payment.id}/transaction${new URL(payment.checkoutUrl).search}`;
    expect(await shop.call('POST', path, null, { txHash })).toMatchObject({ status: 200 });
    await search();
  }

  async function search(): Promise<void> {
    while (await shop.gateway.get(TransactionSearch).runOnce()) continue;
  }

  async function reportedOf(payment: CreatedPayment) {
    const { body } = await shop.checkout<CheckoutStatusContract>(payment, `payment/${payment.id}`);
    return body.data.reportedTransactions.map(({ provider, state }) => [provider, state]);
  }

  it('in bitcoin waits for the mempool to be read, and is found then', async () => {
    const { payment, instructions } = await asked('btc', 'bitcoin');
    const txHash = await bitcoin.pay([{ key: scriptOf(BITCOIN, instructions.address), amount: DUE_BTC }]);
    await report(payment, txHash);
    expect(await reportedOf(payment)).toEqual([['bitcoin', 'WAITING']]);
    expect(await shop.status(payment)).toBe('OPEN');
    await watch();
    shop.gateway.clock.advanceSeconds(5);
    await search();
    expect(await reportedOf(payment)).toEqual([['bitcoin', 'FOUND']]);
    expect(await shop.status(payment)).toBe('FOUND');
    await bitcoin.mine(2);
    await watch();
  });

  it('in bitcoin is found in a block that the watcher has missed', async () => {
    const { payment, instructions } = await asked('btc', 'bitcoin');
    const txHash = await bitcoin.pay([{ key: scriptOf(BITCOIN, instructions.address), amount: DUE_BTC }]);
    await bitcoin.mine(1);
    await skipBlock(shop, 'bitcoin');
    await bitcoin.mine(2);
    await watch();
    expect(await shop.status(payment)).toBe('OPEN');
    await report(payment, txHash);
    expect(await reportedOf(payment)).toEqual([['bitcoin', 'FOUND']]);
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({ transactions: [{ txHash, confirmations: 3 }] });
  });

  it('in bitcoin to somebody else is none of ours', async () => {
    const { payment } = await asked('btc', 'bitcoin');
    const txHash = await bitcoin.pay([{ key: newScriptKey(), amount: DUE_BTC }]);
    await bitcoin.mine(1);
    await watch();
    await report(payment, txHash);
    expect(await reportedOf(payment)).toEqual([['bitcoin', 'OTHER_ADDRESS']]);
  });

  it('on Tron is found in a block that the watcher has missed', async () => {
    const { payment, instructions } = await asked('trx', 'tron');
    const txHash = tron.pay([{ key: keyOf(instructions.address), amount: DUE_TRX }]);
    tron.mine(1);
    await skipBlock(shop, 'tron');
    tron.mine(2);
    await watch();
    expect(await shop.status(payment)).toBe('OPEN');
    await report(payment, `https://tronscan.org/#/transaction/${txHash}`);
    expect(await reportedOf(payment)).toEqual([['tron', 'FOUND']]);
    expect(await shop.payment(payment)).toMatchObject({ status: 'FOUND', transactions: [{ txHash }] });
  });

  it('on Tron that failed gets the state FAILED', async () => {
    const { payment, instructions } = await asked('trx', 'tron');
    const txHash = tron.pay([{ key: keyOf(instructions.address), amount: DUE_TRX }], {
      contractRet: 'OUT_OF_ENERGY',
    });
    tron.mine(1);
    await watch();
    await report(payment, txHash);
    expect(await reportedOf(payment)).toEqual([['tron', 'FAILED']]);
    expect(await shop.status(payment)).toBe('OPEN');
  });

  it('is looked for on the network whose ids have its form, where the payment has several', async () => {
    const { payment } = await asked('btc', 'bitcoin');
    await shop.instructions(payment, 'eth', 'ethereum');
    await report(payment, 'ab'.repeat(32));
    await report(payment, `0x${'ab'.repeat(32)}`);
    expect(await reportedOf(payment)).toEqual([
      ['bitcoin', 'UNKNOWN'],
      ['ethereum', 'UNKNOWN'],
    ]);
  });
});

function keyOf(address: string): Buffer {
  const key = readTronAddress(address);
  if (typeof key === 'string') throw new Error(key);
  return key;
}
