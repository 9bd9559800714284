import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { readUtxoAddress, utxoAddress } from '../src/chains/utxo/utxo-address.pure.js';
import type { UtxoFamily } from '../src/chains/utxo/utxo-network.pure.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { type RefundDto, RefundsApi } from './support/refunds-api.js';
import { Shop } from './support/shop.js';

const TPUB = { private: 0x04358394, public: 0x043587cf };
const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 13), TPUB).derive("m/44'/1'/0'").publicExtendedKey;
const CONFIRMATIONS = { bitcoin: 2, bitcoincash: 6 };
type Family = keyof typeof CONFIRMATIONS;

/** The address of a new customer. */
function customer(family: UtxoFamily): string {
  const { publicKey } = HDKey.fromMasterSeed(randomBytes(32));
  if (!publicKey) throw new Error('no key');
  return utxoAddress(publicKey, family, 'regtest', 'p2pkh').address;
}

function keyOf(address: string, family: UtxoFamily): Buffer {
  const read = readUtxoAddress(address, family, 'regtest');
  if (typeof read === 'string') throw new Error(`${address}: ${read}`);
  return read.key;
}

describeWithNode('a refund on a node without a transaction index', () => {
  let node: UtxoNode;
  let shop: Shop;
  let api: RefundsApi;

  beforeAll(async () => {
    node = await startUtxoNode({ txindex: false });
    shop = await Shop.open({
      CHAIN_BITCOIN_RPC_URL: node.url,
      CHAIN_BITCOIN_NETWORK: 'regtest',
      CHAIN_BITCOINCASH_RPC_URL: node.url,
      CHAIN_BITCOINCASH_NETWORK: 'regtest',
    });
    shop.rates.setPrice('BTC', 'USD', '50000');
    shop.rates.setPrice('BCH', 'USD', '500');
    const application = await shop.application();
    api = new RefundsApi(shop, application);
    for (const family of Object.keys(CONFIRMATIONS)) {
      const path = `/api/payment-applications/${application.id}/wallets/${family}`;
      const wallet = { extendedPublicKey: ACCOUNT, scriptType: 'p2pkh' };
      expect((await shop.call('PUT', path, shop.owner.accessToken, wallet)).status).toBe(200);
    }
    await mine(1);
  });
  afterAll(async () => {
    await shop?.close();
    await node?.stop();
  });

  async function mine(blocks: number): Promise<void> {
    await node.mine(blocks);
    for (const family of Object.keys(CONFIRMATIONS))
      await shop.gateway.get(ChainWatcherService).drain(family);
    await shop.settle();
  }

  async function open(family: Family, address: string): Promise<RefundDto> {
    const payment = await shop.createPayment(api.application);
    const method = family === 'bitcoin' ? 'btc' : 'bch';
    const instructions = await shop.instructions(payment, method, family);
    const key = keyOf(instructions.address, family);
    await node.pay([{ key, amount: BigInt(instructions.amount.atomic) }]);
    await mine(CONFIRMATIONS[family]);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    return api.create(payment, { address });
  }

  it.each<Family>(['bitcoin', 'bitcoincash'])('is verified on the %s chain', async (family) => {
    const refund = await open(family, customer(family));
    const key = keyOf(refund.address ?? '', family);
    const txHash = await node.pay([{ key, amount: BigInt(refund.payoutAmount.atomic) }]);
    expect((await api.complete(refund, txHash)).body.data).toMatchObject({ status: 'PROCESSING' });
    await api.verify();
    expect(await api.read(refund)).toMatchObject({ status: 'PROCESSING', confirmations: { seen: 0 } });
    await mine(CONFIRMATIONS[family] - 1);
    await api.verify();
    expect(await api.read(refund)).toMatchObject({
      status: 'PROCESSING',
      confirmations: { seen: CONFIRMATIONS[family] - 1 },
    });
    await mine(1);
    await api.verify();
    expect(await api.read(refund)).toMatchObject({ status: 'COMPLETED', txHash });
    expect(await shop.status({ id: refund.paymentId })).toBe('REFUND');
  });

  it('fails when its transaction pays too little, or another address', async () => {
    const address = customer('bitcoin');
    for (const [paidTo, short, failureReason] of [
      [address, 1n, 'amount_too_low'],
      [customer('bitcoin'), 0n, 'address_not_paid'],
    ] as const) {
      const refund = await open('bitcoin', address);
      const amount = BigInt(refund.payoutAmount.atomic) - short;
      const txHash = await node.pay([{ key: keyOf(paidTo, 'bitcoin'), amount }]);
      await api.complete(refund, txHash);
      await mine(CONFIRMATIONS.bitcoin);
      await api.verify();
      expect(await api.read(refund)).toMatchObject({ status: 'FAILED', failureReason });
    }
  });

  it('stores a cash address in its canonical spelling, however it was typed', async () => {
    const address = customer('bitcoincash');
    const refund = await open('bitcoincash', address.replace('bchreg:', '').toUpperCase());
    expect(refund.address).toBe(address);
  });
});
