/**
 * @inOrder One shop on one node, whose refunds are paid from what came in.
 */
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import type { CollectionContract } from '../src/collections/collection.contract.js';
import type { PayoutContract } from '../src/payouts/payout.contract.js';
import { LitecoinSigner } from './support/litecoin-signer.js';
import { describeWithLitecoin, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { type RefundDto, RefundsApi } from './support/refunds-api.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const TPUB = { private: 0x04358394, public: 0x043587cf };
/** The seed is in this test alone. */
const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 22), TPUB).derive("m/84'/1'/0'");
const CONFIRMATIONS = 6;
const FEE_RATE = 3;

describeWithLitecoin('a payout in litecoin', () => {
  let node: UtxoNode;
  let signer: LitecoinSigner;
  let shop: Shop;
  let application: ShopApplication;
  let api: RefundsApi;
  let change: string;

  beforeAll(async () => {
    node = await startUtxoNode();
    shop = await Shop.open({ CHAIN_LITECOIN_RPC_URL: node.url, CHAIN_LITECOIN_NETWORK: 'regtest' });
    shop.rates.setPrice('LTC', 'USD', '80');
    change = await node.newAddress();
    signer = await LitecoinSigner.open(node, [`wpkh(${ACCOUNT.privateExtendedKey}/0/*)`]);
    application = await shop.application();
    api = new RefundsApi(shop, application);
    const path = `/api/payment-applications/${application.id}/wallets/litecoin`;
    const wallet = { extendedPublicKey: ACCOUNT.publicExtendedKey, scriptType: 'p2wpkh' };
    expect((await shop.call('PUT', path, shop.owner.accessToken, wallet)).status).toBe(200);
  });
  afterAll(async () => {
    await shop?.close();
    await node?.stop();
  });

  async function watch(): Promise<void> {
    await shop.gateway.get(ChainWatcherService).drain('litecoin');
    await shop.settle();
  }

  async function confirm(): Promise<void> {
    await watch();
    await node.mine(CONFIRMATIONS);
    await watch();
    await api.verify();
  }

  const scriptOf = async (address: string) =>
    (await node.rpc<{ scriptPubKey: string }>('validateaddress', [address])).scriptPubKey;

  /** Payments that were paid as asked; where each was. */
  async function paid(count: number): Promise<(CreatedPayment & { address: string; units: bigint })[]> {
    const all = [];
    for (let i = 0; i < count; i += 1) {
      const payment = await shop.createPayment(application);
      const { address, amount } = await shop.instructions(payment, 'ltc', 'litecoin');
      const units = BigInt(amount.atomic);
      await node.pay([{ key: Buffer.from(await scriptOf(address), 'hex'), amount: units }]);
      all.push({ ...payment, address, units });
    }
    await confirm();
    return all;
  }

  const post = (body: object) =>
    shop.call<PayoutContract>(
      'POST',
      `/api/payment-applications/${application.id}/payouts`,
      shop.owner.accessToken,
      { blockchain: 'litecoin', ...body },
    );
  async function prepare(body: object = {}): Promise<PayoutContract> {
    const answer = await post({ change, feeRate: FEE_RATE, ...body });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  }

  async function collect(): Promise<CollectionContract> {
    const path = `/api/payment-applications/${application.id}/collections`;
    const body = { blockchain: 'litecoin', destination: change, feeRate: FEE_RATE };
    return (await shop.call<CollectionContract>('POST', path, shop.owner.accessToken, body)).body.data;
  }

  const report = (refunds: readonly RefundDto[], txHash: string) =>
    shop.call(
      'POST',
      `/api/payment-applications/${application.id}/payouts/complete`,
      shop.owner.accessToken,
      { transactions: Object.fromEntries(refunds.map(({ id }) => [id, txHash])) },
    );

  /** Script and amount of each output. */
  const outputsOf = (psbt: string) => {
    const transaction = Transaction.fromPSBT(Buffer.from(psbt, 'base64'));
    return Array.from({ length: transaction.outputsLength }, (_none, i) => {
      const { script, amount } = transaction.getOutput(i);
      return [Buffer.from(script ?? []).toString('hex'), amount];
    });
  };
  const spentBy = (psbt: string) => {
    const transaction = Transaction.fromPSBT(Buffer.from(psbt, 'base64'));
    return Array.from({ length: transaction.inputsLength }, (_none, i) => {
      const { txid, index } = transaction.getInput(i);
      return `${Buffer.from(txid ?? []).toString('hex')}:${index}`;
    });
  };

  it('is one transaction that pays each refund exactly, and what the node says before', async () => {
    const payments = await paid(4);
    const shared = await node.newAddress();
    const refunds: RefundDto[] = [];
    for (const [i, address] of [await node.newAddress(), shared, shared].entries())
      refunds.push(await api.create(payments[i] ?? { id: '' }, { address }));
    // Without a place for the change, links alone, as before.
    expect((await post({})).body.data).toMatchObject({ psbt: null, missing: null, safeBatch: null });

    const payout = await prepare();
    const { psbt } = payout;
    if (!psbt) throw new Error('nothing is prepared');
    const owed = refunds.map(({ payoutAmount }) => BigInt(payoutAmount.atomic));
    const sum = owed.reduce((total, units) => total + units, 0n);
    expect(psbt).toMatchObject({
      inputs: 4,
      amount: { atomic: String(sum) },
      feeRate: FEE_RATE,
      keyOwner: 'application',
    });
    const scripts = await Promise.all(refunds.map(({ address }) => scriptOf(address ?? '')));
    const rest = BigInt(psbt.change?.atomic ?? '0');
    expect(outputsOf(psbt.psbt)).toEqual([
      ...scripts.map((script, i) => [script, owed[i]]),
      [await scriptOf(change), rest],
    ]);
    // The merchant pays the fee, of the change.
    const brought = payments.reduce((total, { units }) => total + units, 0n);
    expect(brought - sum - rest).toBe(BigInt(psbt.fee.atomic));

    const collection = await collect();
    const hex = await signer.sign(psbt.psbt);
    const [accepted] = await node.rpc<{ allowed: boolean; vsize: number }[]>('testmempoolaccept', [[hex]]);
    expect(accepted?.allowed).toBe(true);
    expect((accepted?.vsize ?? 0) * 4).toBeLessThanOrEqual(psbt.weight + 3);
    expect(Number(psbt.fee.atomic)).toBeGreaterThanOrEqual((accepted?.vsize ?? 0) * FEE_RATE);
    const hash = await node.broadcast(hex);

    // What both would have spent is spent once: neither a new collection has it, nor one of before is taken.
    expect(new Set(spentBy(collection.psbts[0]?.psbt ?? ''))).toEqual(new Set(spentBy(psbt.psbt)));
    expect((await collect()).psbts).toEqual([]);
    const before = await signer.sign(collection.psbts[0]?.psbt ?? '');
    const [refused] = await node.rpc<{ allowed: boolean }[]>('testmempoolaccept', [[before]]);
    expect(refused?.allowed).toBe(false);

    expect((await report(refunds, hash)).status).toBe(200);
    await confirm();
    for (const refund of refunds)
      expect(await api.read(refund)).toMatchObject({ status: 'COMPLETED', txHash: hash });
    expect(await shop.status(payments[0] ?? { id: '' })).toBe('REFUND');
    expect((await prepare()).psbt).toBeNull();
  });

  it('takes the largest outputs only, and leaves the others', async () => {
    const payments = await paid(3);
    const [first] = payments;
    if (!first) throw new Error('no payment');
    const refund = await api.create(first, { address: await node.newAddress(), payoutAmount: 50_000 });
    const { psbt } = await prepare();
    expect(psbt).toMatchObject({ inputs: 1, amount: { atomic: '50000' } });
    const hash = await node.broadcast(await signer.sign(psbt?.psbt ?? ''));
    await report([refund], hash);
    await confirm();
    expect(await api.read(refund)).toMatchObject({ status: 'COMPLETED' });
    expect((await collect()).psbts).toMatchObject([{ inputs: 2 }]);
  });

  it('says how much is missing, to the unit', async () => {
    const [psbt] = (await collect()).psbts;
    const available = BigInt(psbt?.amount.atomic ?? '0') + BigInt(psbt?.fee.atomic ?? '0');
    const [payment] = await paid(1);
    if (!payment) throw new Error('no payment');
    const units = available + payment.units;
    const refund = await api.create(payment, {
      address: await node.newAddress(),
      payoutAmount: Number(units),
    });
    const { psbt: none, missing, refunds } = await prepare();
    expect([none, refunds.length]).toEqual([null, 1]);
    // Three inputs and one output: 10.5 + 3 * 68 + 31 virtual bytes, rounded up.
    expect(missing?.atomic).toBe(String(246 * FEE_RATE));
    await api.post({ id: payment.id }, `/${refund.id}/cancel`);
    const less = await api.create(payment, {
      address: await node.newAddress(),
      payoutAmount: Number(units) - 246 * FEE_RATE,
    });
    expect(await prepare()).toMatchObject({ psbt: { inputs: 3, change: null }, missing: null });
    await api.post({ id: payment.id }, `/${less.id}/cancel`);
  });

  it('refuses what its change cannot be, and fields of another chain', async () => {
    const [payment] = await paid(1);
    if (!payment) throw new Error('no payment');
    const refund = await api.create(payment, { address: await node.newAddress() });
    const secret = ACCOUNT.privateExtendedKey;
    for (const [body, field, message] of [
      [{ feeRate: 3 }, 'change', /is required beside feeRate/],
      [{ change: payment.address }, 'change', /on which payments are received/],
      [{ change: refund.address }, 'change', /not be the address of a refund/],
      [{ change: secret }, 'change', /not a private key/],
      [{ change: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' }, 'change', /of the network/],
      [{ blockchain: 'ethereum', change }, 'change', /does not apply on Ethereum/],
      [{ blockchain: 'ethereum', feeRate: 3 }, 'feeRate', /does not apply on Ethereum/],
      [{ change, feeRate: 0 }, 'feeRate', /at least 1/],
    ] as const) {
      const answer = await post({
        ...('blockchain' in body || 'feeRate' in body ? {} : { feeRate: 3 }),
        ...body,
      });
      expect([body, answer.status]).toEqual([body, 422]);
      expect(answer.body.errors?.[field]?.[0]).toMatch(message);
      expect(JSON.stringify(answer.body)).not.toContain(secret.slice(10, 60));
    }
  });
});
