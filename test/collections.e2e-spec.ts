/**
 * @inOrder One shop on one node, whose money is gathered.
 */
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { ChainsService } from '../src/chains/chains.service.js';
import type { OutputClaim } from '../src/chains/output-reader.pure.js';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { EsploraHttp } from '../src/chains/utxo/esplora-http.js';
import { EsploraOutputs } from '../src/chains/utxo/esplora-outputs.js';
import type { CollectionContract } from '../src/collections/collection.contract.js';
import type { HoldingAddressContract } from '../src/collections/holding-address.contract.js';
import { JsonFloat } from '../src/platform/kernel/exact-json.pure.js';
import { asOwner } from './support/as-owner.js';
import { EsploraServer } from './support/esplora.js';
import { LitecoinSigner } from './support/litecoin-signer.js';
import { describeWithLitecoin, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { createOwnerWithClient } from './support/principals.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const TPUB = { private: 0x04358394, public: 0x043587cf };
/** The seed is in this test alone. */
const ROOT = HDKey.fromMasterSeed(Buffer.alloc(32, 21), TPUB);
const WITNESS = ROOT.derive("m/84'/1'/0'");
const LEGACY = ROOT.derive("m/44'/1'/0'");
const FINGERPRINT = ROOT.fingerprint.toString(16).padStart(8, '0');
const CONFIRMATIONS = 6;
const DEPOSITS = 60;
const UNITS = 1_000_000n;
const FEE_RATE = 3;

interface Deposit {
  payment: CreatedPayment;
  address: string;
  script: Buffer;
}
type Collection = CollectionContract;

describeWithLitecoin('a collection in litecoin', () => {
  let node: UtxoNode;
  let proxy: RpcProxy;
  let shop: Shop;
  let application: ShopApplication;
  let deposits: Deposit[];
  let destination: string;
  let first: Collection;
  let signer: LitecoinSigner;

  beforeAll(async () => {
    node = await startUtxoNode();
    proxy = await RpcProxy.start(node.url);
    shop = await Shop.open({ CHAIN_LITECOIN_RPC_URL: proxy.url, CHAIN_LITECOIN_NETWORK: 'regtest' });
    shop.rates.setPrice('LTC', 'USD', '80');
    destination = await node.newAddress();
    signer = await LitecoinSigner.open(node, [
      `wpkh(${WITNESS.privateExtendedKey}/0/*)`,
      `pkh(${LEGACY.privateExtendedKey}/0/*)`,
    ]);
    application = await shop.application();
    await putWallet(WITNESS.publicExtendedKey, 'p2wpkh');
  });
  afterEach(() => proxy.setFaults({}));
  afterAll(async () => {
    await shop?.close();
    await proxy?.stop();
    await node?.stop();
  });

  async function putWallet(extendedPublicKey: string, scriptType: string | null) {
    const path = `/api/payment-applications/${application.id}/wallets/litecoin`;
    const answer = await shop.call('PUT', path, shop.owner.accessToken, { extendedPublicKey, scriptType });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  const sign = (psbt: string) => signer.sign(psbt);

  async function watch(): Promise<void> {
    await shop.gateway.get(ChainWatcherService).drain('litecoin');
    await shop.settle();
  }

  async function ask(): Promise<Deposit> {
    const payment = await shop.createPayment(application);
    const { address } = await shop.instructions(payment, 'ltc', 'litecoin');
    const { scriptPubKey } = await node.rpc<{ scriptPubKey: string }>('validateaddress', [address]);
    return { payment, address, script: Buffer.from(scriptPubKey, 'hex') };
  }

  async function asked(count: number): Promise<Deposit[]> {
    const all: Deposit[] = [];
    for (let i = 0; i < count; i++) all.push(await ask());
    return all;
  }

  const pay = (to: readonly Deposit[], amount = UNITS) =>
    node.pay(to.map(({ script: key }) => ({ key, amount })));

  async function confirm(): Promise<void> {
    await watch();
    await node.mine(CONFIRMATIONS);
    await watch();
  }

  const post = (body: object, query = '', token = shop.owner.accessToken) =>
    shop.call<Collection>(
      'POST',
      `/api/payment-applications/${application.id}/collections${query}`,
      token,
      body,
    );
  async function collect(body: object = {}, query = ''): Promise<Collection> {
    const answer = await post({ blockchain: 'litecoin', destination, feeRate: FEE_RATE, ...body }, query);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  }
  /** Reason and number of what was left out. */
  const reasons = ({ leftOut }: Collection) =>
    Object.fromEntries(
      [...new Set(leftOut.map(({ reason }) => reason))].map((reason) => [
        reason,
        leftOut.filter((each) => each.reason === reason).length,
      ]),
    );
  const arrived = async (hash: string) =>
    (await node.rpc<{ value: JsonFloat }>('gettxout', [hash, 0])).value.text;

  it('leaves out what has too few confirmations', async () => {
    deposits = await asked(DEPOSITS);
    for (let start = 0; start < DEPOSITS; start += 20) await pay(deposits.slice(start, start + 20));
    await watch();
    const collection = await collect();
    expect([collection.psbts, reasons(collection), collection.expected]).toEqual([
      [],
      { unconfirmed: DEPOSITS },
      [],
    ]);
    await confirm();
  });

  it('says by address what was received, with the place of the key', async () => {
    const path = `/api/payment-applications/${application.id}/holdings/addresses`;
    type Page = { data: HoldingAddressContract[]; meta: { cursor: { next: string; hasMore: boolean } } };
    const found: HoldingAddressContract[] = [];
    for (let after = '', more = true; more;) {
      const answer = await shop.call('GET', `${path}?limit=25${after}`, shop.owner.accessToken);
      const { data, meta } = answer.body as unknown as Page;
      found.push(...data);
      [after, more] = [`&after=${meta.cursor.next}`, meta.cursor.hasMore];
    }
    expect(found.map(({ address }) => address).toSorted()).toEqual(
      deposits.map(({ address }) => address).toSorted(),
    );
    const one = found.find(({ address }) => address === deposits[7]?.address);
    expect(one).toMatchObject({
      blockchain: 'litecoin',
      currencyCode: 'LTC',
      token: null,
      paymentId: deposits[7]?.payment.id,
      reference: 'ORDER-1',
      receivedAmount: { atomic: String(UNITS) },
      derivation: { index: 7, path: '0/7', walletPath: "m/84'/1'/0'/0/7", keyOwner: 'application' },
    });
    const holdings = await shop.call<{ receivedAmount: { atomic: string } }[]>(
      'GET',
      `/api/payment-applications/${application.id}/holdings`,
      shop.owner.accessToken,
    );
    const sum = found.reduce((total, { receivedAmount }) => total + BigInt(receivedAmount.atomic), 0n);
    expect(holdings.body.data.map(({ receivedAmount }) => receivedAmount.atomic)).toEqual([String(sum)]);
    const stranger = await createOwnerWithClient(shop.gateway);
    expect((await shop.call('GET', path, stranger.accessToken)).status).toBe(404);
  });

  it('is one transaction that litecoind’s own wallet signs and its mempool takes', async () => {
    first = await collect();
    const [psbt] = first.psbts;
    if (!psbt) throw new Error('nothing is gathered');
    expect(first).toMatchObject({
      psbts: [{ inputs: DEPOSITS, feeRate: FEE_RATE }],
      leftOut: [],
      next: null,
    });
    expect(first.psbts).toHaveLength(1);
    expect(BigInt(psbt.amount.atomic) + BigInt(psbt.fee.atomic)).toBe(UNITS * BigInt(DEPOSITS));
    expect(first.expected).toEqual([{ amount: psbt.amount, token: null }]);
    // The origin of the key is not known: the account key itself, and the path below it.
    const { inputs } = await node.rpc<{ inputs: { bip32_derivs: object[] }[] }>('decodepsbt', [psbt.psbt]);
    expect(psbt).toMatchObject({ masterFingerprint: null, keyOwner: 'application' });
    expect(inputs[0]?.bip32_derivs).toMatchObject([
      { master_fingerprint: psbt.keyFingerprint, path: expect.stringMatching(/^m\/0\/\d+$/) as string },
    ]);
    const hex = await sign(psbt.psbt);
    const [accepted] = await node.rpc<{ allowed: boolean; vsize: number }[]>('testmempoolaccept', [[hex]]);
    expect(accepted?.allowed).toBe(true);
    expect((accepted?.vsize ?? 0) * 4).toBeLessThanOrEqual(psbt.weight + 3);
    expect(Number(psbt.fee.atomic)).toBeGreaterThanOrEqual((accepted?.vsize ?? 0) * FEE_RATE);
    const hash = await node.broadcast(hex);
    expect((await arrived(hash)).replace('0.', '').replace(/^0+/, '')).toBe(psbt.amount.atomic);
  });

  it('finds nothing left as soon as the transaction waits, and when it is mined', async () => {
    for (const isMined of [false, true]) {
      if (isMined) await confirm();
      const again = await collect();
      expect([again.psbts, reasons(again), again.expected]).toEqual([[], { spent: DEPOSITS }, []]);
    }
  });

  it('is still right when an output was spent meanwhile', async () => {
    const [taken, kept] = await asked(2);
    if (!taken || !kept) throw new Error('no deposits');
    await pay([taken, kept]);
    await confirm();
    const before = await collect();
    expect(before.psbts).toMatchObject([{ inputs: 2 }]);
    // Somebody with the seed sends one of them elsewhere.
    const [psbt] = before.psbts;
    const prepared = Transaction.fromPSBT(Buffer.from(psbt?.psbt ?? '', 'base64'));
    const at = [0, 1].find((i) =>
      Buffer.from(prepared.getInput(i).witnessUtxo?.script ?? []).equals(taken.script),
    );
    const elsewhere = new Transaction();
    elsewhere.addInput(prepared.getInput(at ?? -1));
    elsewhere.addOutput({ script: await node.newScript(), amount: UNITS - 10_000n });
    const index = Number(elsewhere.getInput(0).bip32Derivation?.[0]?.[1].path.at(-1));
    elsewhere.sign(WITNESS.derive(`m/0/${index}`).privateKey ?? Buffer.alloc(0));
    elsewhere.finalize();
    await node.broadcast(elsewhere.hex);
    const after = await collect();
    expect(after.psbts).toMatchObject([{ inputs: 1 }]);
    expect(reasons(after)).toEqual({ spent: DEPOSITS + 1 });
    await node.broadcast(await sign(after.psbts[0]?.psbt ?? ''));
    // The one that was overtaken pays nothing twice: the network refuses it once the others are mined.
    await confirm();
    await expect(node.broadcast(await sign(psbt?.psbt ?? ''))).rejects.toThrow('sendrawtransaction');
    expect((await collect()).psbts).toEqual([]);
  });

  it('goes on where it stopped, and repeats nothing', async () => {
    const reader = shop.gateway.get(ChainsService).findOutputs('litecoin');
    if (!reader) throw new Error('litecoin has outputs');
    Object.defineProperty(reader, 'most', { value: 25, configurable: true });
    const seen: string[] = [];
    for (let query = '', pages = 0; pages < 9; pages++) {
      const { leftOut, next } = await collect({}, query);
      expect(leftOut.length).toBeLessThanOrEqual(25);
      seen.push(...leftOut.map(({ address }) => address));
      if (next === null) break;
      query = `?after=${next}`;
    }
    Object.defineProperty(reader, 'most', { value: 1_000, configurable: true });
    expect([seen.length, new Set(seen).size]).toEqual([DEPOSITS + 2, DEPOSITS + 2]);
  });

  describe('of a key with its origin and p2pkh', () => {
    let own: Deposit[];

    it('names the master key, and carries the transactions before it', async () => {
      await putWallet(`[${FINGERPRINT}/44h/1h/0h]${LEGACY.publicExtendedKey}`, 'p2pkh');
      own = await asked(4);
      await pay(own);
      await confirm();
      const { psbts } = await collect();
      expect(psbts).toMatchObject([
        { inputs: 4, masterFingerprint: FINGERPRINT, accountPath: "m/44'/1'/0'" },
      ]);
      const psbt = psbts[0]?.psbt ?? '';
      const { inputs } = await node.rpc<{ inputs: object[] }>('decodepsbt', [psbt]);
      expect(inputs[0]).toMatchObject({
        non_witness_utxo: {},
        bip32_derivs: [
          {
            master_fingerprint: FINGERPRINT,
            path: expect.stringMatching(/^m\/44'\/1'\/0'\/0\/\d$/) as string,
          },
        ],
      });
      const [accepted] = await node.rpc<{ allowed: boolean }[]>('testmempoolaccept', [[await sign(psbt)]]);
      expect(accepted?.allowed).toBe(true);
    });

    it('leaves out what costs more than it brings, and says so', async () => {
      const { psbts, leftOut } = await collect({ feeRate: 7_000 });
      expect(psbts).toEqual([]);
      expect(new Set(leftOut.filter(({ reason }) => reason !== 'spent').map(({ reason }) => reason))).toEqual(
        new Set(['uneconomic']),
      );
      expect(reasons(await collect({ feeRate: 6_700 }))).toMatchObject({ too_little: 4 });
    });

    const refused = ({ id }: { id: unknown }) => ({ id, error: { code: -28, message: 'Loading…' } });
    it.each([
      ['the node does not answer', { gettxout: refused }, { unread: DEPOSITS + 6 }],
      [
        'the node does not have the transactions before',
        {
          getrawtransaction: ({ id }: { id: unknown }) => ({ id, error: { code: -5, message: 'No such…' } }),
        },
        { previous_missing: 4, spent: DEPOSITS + 2 },
      ],
      [
        'the node has other blocks',
        { getblockhash: ({ id }: { id: unknown }) => ({ id, result: 'ab'.repeat(32) }) },
        { unknown: DEPOSITS + 2 },
      ],
    ])('guesses nothing when %s', async (_what, faults, expected) => {
      proxy.setFaults(faults);
      expect(reasons(await collect())).toEqual(expected);
      expect(proxy.faulted).toBeGreaterThan(0);
    });

    it('is not of what somebody wrote into the database', async () => {
      const [one, two] = own;
      const double = 'update payment_transfers set amount = amount * 2 where payment_id = $1';
      const move = `update deposit_addresses set derivation_index = 999 where payment_id = $1`;
      await asOwner(shop.gateway, async (sql) => {
        await sql.query(double, [one?.payment.id]);
        await sql.query(move, [two?.payment.id]);
      });
      const { psbts, leftOut } = await collect();
      expect(psbts).toMatchObject([{ inputs: 2 }]);
      const reasonOf = (deposit?: Deposit) =>
        leftOut.find(({ address }) => address === deposit?.address)?.reason;
      expect([reasonOf(one), reasonOf(two)]).toEqual(['unknown', 'key_unavailable']);
    });
  });

  it('takes the estimate of the node', async () => {
    proxy.setFaults({
      estimatesmartfee: ({ id }) => ({ id, result: { feerate: 0.00004001, blocks: 6 } }),
    });
    const { psbts } = await collect({ feeRate: undefined });
    expect(psbts).toMatchObject([{ feeRate: 5 }]);
  });

  it('reads the same of an Esplora endpoint', async () => {
    const esplora = await EsploraServer.start(node);
    const http = new EsploraHttp(esplora.url, shop.gateway.clock);
    try {
      const reader = new EsploraOutputs(http);
      const claims = await shop.gateway.sql.query<OutputClaim>(
        `select t.tx_hash as "txHash", substr(t.ordinal, 6)::integer as vout, d.key,
           t.block_height::integer as height, t.block_hash as "blockHash"
         from payment_transfers t join deposit_addresses d on d.id = t.deposit_address_id order by t.seen_at, t.id`,
      );
      const [spent, unspent] = [claims.at(0), claims.at(-1)];
      if (!spent || !unspent) throw new Error('no outputs');
      const elsewhere = { ...unspent, blockHash: 'ab'.repeat(32) };
      expect(await reader.states([spent, unspent, elsewhere])).toEqual(['spent', 'unspent', 'unknown']);
      const [previous] = await reader.previous([unspent]);
      expect(previous?.length).toBeGreaterThan(60);
      expect(await reader.feeRate()).toBe(4n);
      esplora.setFaults(() => ({ status: 500, body: 'down' }));
      expect(await reader.states([spent, unspent])).toEqual(['unread', 'unread']);
      expect(await reader.previous([unspent])).toEqual([null]);
      expect(await reader.feeRate()).toBeNull();
    } finally {
      await http.close();
      await esplora.stop();
    }
  });
});
