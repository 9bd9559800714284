/**
 * @inOrder One chain, whose records are reconciled at the end.
 */
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { readTronAddress, toTronAddress } from '../src/chains/tron/tron-address.pure.js';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import type { PaymentInstructionsContract } from '../src/checkout/payment-instructions.contract.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import type { Hex } from './support/anvil.js';
import { RefundsApi } from './support/refunds-api.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';
import { newTronKey, TronNode, TronRaw } from './support/tron-node.js';
import { address, assetContract, internalTransaction, triggerContract } from './support/tron-shapes.js';

const ABANDON = HDKey.fromMasterSeed(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`));
const ACCOUNT = ABANDON.derive("m/44'/195'/0'");
/** Where anvil puts the first two contracts of its first account: the shop's tokens, as Tron spells them. */
const USDT: Hex = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const USDC: Hex = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512';
const spelled = (contract: Hex) => toTronAddress(Buffer.from(contract.slice(2), 'hex'));
/** 100 USD at a quarter of a dollar for a TRX, in sun. */
const DUE = 400_000_000n;
/** 100 USDT. */
const DUE_USDT = 100_000_000n;

describe('a payment on Tron', () => {
  let node: TronNode;
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    node = await TronNode.start();
    shop = await Shop.open({
      CHAIN_TRON_RPC_URL: node.url,
      CHAIN_TRON_NETWORK: 'nile',
      CHAIN_TRON_TOKENS: `USDT:${spelled(USDT)}:6,USDC:${spelled(USDC)}:6`,
      WALLET_TRON_XPUB: ACCOUNT.publicExtendedKey,
    });
    expect([shop.tokens.USDT, shop.tokens.USDC].map((token) => token.toLowerCase())).toEqual([USDT, USDC]);
    shop.rates.setPrice('TRX', 'USD', '0.25');
    application = await shop.application();
    node.mine(200);
    node.solidify();
    await watch();
  });
  afterAll(async () => {
    await shop?.close();
    await node?.stop();
  });
  afterEach(() => {
    node.faults.clear();
    node.hidden.clear();
  });

  /** The watcher of this chain, then everything else. */
  async function watch(): Promise<void> {
    await shop.gateway.get(ChainWatcherService).drain('tron');
    await shop.settle();
  }

  const reconcile = () => shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });

  async function mine(blocks = 1): Promise<void> {
    node.mine(blocks);
    await watch();
  }

  /** Everything so far is final. */
  async function solidify(): Promise<void> {
    node.solidify();
    await watch();
  }

  async function asked(method = 'trx', fields: Record<string, unknown> = {}) {
    const payment = await shop.createPayment(application, fields);
    const instructions = await shop.instructions(payment, method, 'tron');
    return { payment, instructions, key: keyOf(instructions) };
  }

  /** A real transfer of the real token to the 20 bytes of the address; what it logged happens on Tron, too. */
  async function payToken(key: Buffer, value: bigint, token: Hex = USDT, outcome = {}): Promise<string> {
    const evmHash = await shop.chain.sendToken({ token, to: `0x${key.toString('hex')}`, value });
    await shop.chain.mine();
    return node.carry(shop.chain, evmHash, outcome);
  }

  async function rows({ id }: CreatedPayment) {
    return shop.gateway.sql.query<{ tx_hash: string; ordinal: string; state: string; amount: string }>(
      'select tx_hash, ordinal, state, amount from payment_transfers where payment_id = $1 order by seen_at, id',
      [id],
    );
  }

  it('is offered with a Tron address, an exact amount, and no link', async () => {
    const { payment, instructions } = await asked();
    expect(instructions).toMatchObject({
      provider: 'tron',
      method: 'trx',
      blockchain: { slug: 'tron', name: 'Tron', chainId: null, testnet: true },
      token: null,
      // Index 0 of the account, as every wallet shows it.
      address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
      amount: { atomic: '400000000', formatted: '400.000000 TRX' },
      confirmations: { seen: 0, required: 20 },
      paymentUri: null,
      qrCode: { content: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH' },
      warnings: ['Send only TRX on the Tron network.'],
    });
    expect(await shop.instructions(payment, 'usdt', 'tron')).toMatchObject({
      address: instructions.address,
      token: { standard: 'TRC-20', contractAddress: spelled(USDT), decimals: 6 },
      amount: { atomic: '100000000' },
    });
    const path = `${payment.id}/payment-methods`;
    const methods = await shop.checkout<{ provider: string; method: string; available: boolean }[]>(
      payment,
      path,
    );
    expect(methods.body.data).toContainEqual(
      expect.objectContaining({
        provider: 'tron',
        method: 'usdt',
        label: 'Tether USD (TRC-20)',
        available: true,
        confirmationsRequired: 20,
        estimatedConfirmationSeconds: 60,
      }),
    );
  });

  it('is shown on its page with a QR code, and without a wallet button', async () => {
    const { payment, instructions } = await asked('usdt');
    const { pathname, search } = new URL(payment.checkoutUrl);
    const link = `${shop.gateway.baseUrl}${pathname}${search}&provider=tron&method=usdt`;
    const page = await (await fetch(link)).text();
    expect(page).toContain('USDT on Tron');
    expect(page).toContain(
      'Send only USDT, only on <bdi>Tron <span class="whole">(TRC-20)</span> test network</bdi>.',
    );
    expect(page).toContain(`data-copy="${instructions.address}"`);
    expect(page).toContain(`QR code: the address ${instructions.address}`);
    expect(page).toContain(spelled(USDT));
    expect(page).not.toContain('Open in wallet');
  });

  it('is found in a block, waits until it is solidified, however deep it is, and is confirmed', async () => {
    const { payment, key } = await asked();
    const txHash = node.pay([{ key, amount: DUE }]);
    await mine();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'FOUND',
      receivedAmount: { amount: 0 },
      transactions: [{ txHash, status: 'PENDING', confirmations: 1, amount: { atomic: '400000000' } }],
    });
    await mine(30);
    expect(await shop.status(payment)).toBe('FOUND');
    expect(await reconcile()).toMatchObject({ differenceCount: 0, notChecked: [] });
    // One block too few.
    node.solidify(node.height - 31);
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
    node.solidify(node.height - 30);
    await watch();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      overpaidAmount: null,
      transactions: [{ txHash, status: 'CONFIRMED' }],
    });
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    expect(await rows(payment)).toMatchObject([{ tx_hash: txHash, ordinal: 'value', amount: '400000000' }]);
  });

  it('is final as reported by a full node that serves no solidified blocks', async () => {
    node.hidden.add('walletsolidity/getblock');
    const { payment, key } = await asked();
    node.pay([{ key, amount: DUE }]);
    await mine();
    expect(await shop.status(payment)).toBe('FOUND');
    await solidify();
    expect(await shop.status(payment)).toBe('CONFIRMED');
    // Shallower than usual, and right all the same.
    expect(await reconcile()).toMatchObject({ differenceCount: 0, notChecked: [] });
  });

  it.each([
    ['usdt', USDT],
    ['usdc', USDC],
  ] as const)('is credited in %s by the logs of a real contract', async (method, token) => {
    const { payment, key } = await asked(method);
    const txHash = await payToken(key, DUE_USDT, token);
    await mine();
    expect(await shop.payment(payment)).toMatchObject({ status: 'FOUND', transactions: [{ txHash }] });
    await solidify();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      transactions: [{ txHash, currencyCode: method.toUpperCase(), amount: { atomic: '100000000' } }],
    });
    expect(await rows(payment)).toMatchObject([{ ordinal: 'log:0' }]);
  });

  it('is received when paid half in TRX by a contract and half in USDT', async () => {
    const { payment, key } = await asked();
    await shop.instructions(payment, 'usdt', 'tron');
    node.pay([
      { key, amount: DUE / 4n },
      { key: newTronKey(), amount: 5n },
      { key, amount: DUE / 4n },
    ]);
    await mine();
    await solidify();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'UNDERPAID',
      receivedAmount: { amount: 5_000 },
    });
    await payToken(key, DUE_USDT / 2n);
    await mine();
    await solidify();
    expect(await shop.payment(payment)).toMatchObject({ status: 'CONFIRMED', overpaidAmount: null });
    expect((await rows(payment)).map(({ ordinal }) => ordinal)).toEqual(['call:0', 'call:2', 'log:0']);
  });

  it('is not paid by what failed, by TRC-10, votes and lent resources, or by a token that is not listed', async () => {
    const { payment, key } = await asked();
    node.pay([{ key, amount: DUE }], { contractRet: 'OUT_OF_ENERGY' });
    await payToken(key, DUE_USDT, USDT, { contractRet: 'REVERT' });
    const fake = await shop.chain.deployToken('USDT');
    await payToken(key, DUE_USDT, fake.address);
    node.submit(assetContract(newTronKey(), key, DUE));
    const votes = [{ vote_address: address(key), vote_count: Number(DUE) }];
    node.submit({ type: 'VoteWitnessContract', value: { owner_address: address(newTronKey()), votes } });
    const spender = newTronKey();
    const internal = [
      internalTransaction(spender, key, [{}, { callValue: DUE, tokenId: '1004777' }]),
      internalTransaction(spender, key, [{ callValue: DUE }], 'call', true),
      internalTransaction(spender, key, [{ callValue: DUE }], 'delegateResourceOfEnergy'),
    ];
    node.submit(triggerContract(newTronKey(), spender), { internal });
    await mine();
    await solidify();
    expect(await shop.payment(payment)).toMatchObject({ status: 'OPEN', transactions: [] });
    // The same block, read by the same code, would have shown this one.
    node.pay([{ key, amount: DUE }]);
    await mine();
    await solidify();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('is OPEN again after a fork drops it, and counts once when a later block has it', async () => {
    const { payment, key } = await asked();
    const txHash = node.pay([{ key, amount: DUE }]);
    await mine(3);
    expect(await shop.status(payment)).toBe('FOUND');
    node.fork(3);
    await mine();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'OPEN',
      transactions: [{ status: 'ORPHANED' }],
    });
    node.fork(1, [txHash]);
    await mine();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'FOUND',
      transactions: [{ txHash, status: 'PENDING', confirmations: 2 }],
    });
    await solidify();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      overpaidAmount: null,
    });
    expect(await rows(payment)).toHaveLength(1);
  });

  it('keeps waiting while the solidified block is of another branch', async () => {
    const { payment, key } = await asked();
    node.pay([{ key, amount: DUE }]);
    await mine();
    node.faults.set('walletsolidity/getblock', (answer) => {
      const block = answer as { blockID: string };
      return { ...block, blockID: `${block.blockID.slice(0, 16)}${'ab'.repeat(24)}` };
    });
    await solidify();
    expect(await shop.status(payment)).toBe('FOUND');
    node.faults.clear();
    await watch();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('is found after the gateway was down, and after the node was', async () => {
    const [first, second] = [await asked(), await asked('usdt')];
    await shop.whileDown(async () => {
      node.pay([{ key: first.key, amount: DUE }]);
      node.mine(5);
    });
    node.faults.set('wallet/gettransactioninfobyblocknum', () => new TronRaw(503));
    await payToken(second.key, DUE_USDT);
    await mine(5);
    expect([await shop.status(first.payment), await shop.status(second.payment)]).toEqual(['OPEN', 'OPEN']);
    node.faults.clear();
    await solidify();
    expect([await shop.status(first.payment), await shop.status(second.payment)]).toEqual([
      'CONFIRMED',
      'CONFIRMED',
    ]);
  });

  it('is refunded to a Tron address, verified by the transaction', async () => {
    const refunds = new RefundsApi(shop, application);
    const { payment, key } = await asked('usdt');
    await payToken(key, DUE_USDT);
    await mine();
    await solidify();
    const theirs = newTronKey();
    for (const wrong of ['0x52908400098527886E0F7030069857D2E4169EE7', spelled(USDT), toTronAddress(key)])
      expect((await refunds.post(payment, '', { address: wrong })).status).toBe(422);
    const refund = await refunds.create(payment, { address: toTronAddress(theirs) });
    expect(refund).toMatchObject({
      blockchain: 'tron',
      token: { standard: 'TRC-20', contractAddress: spelled(USDT) },
      paymentUri: null,
      payoutAmount: { atomic: '100000000' },
    });
    const txHash = await payToken(theirs, DUE_USDT);
    expect((await refunds.complete(refund, txHash)).status).toBe(200);
    await mine(20);
    await refunds.verify();
    expect(await refunds.read(refund)).toMatchObject({ status: 'COMPLETED', txHash });
    expect(await shop.status(payment)).toBe('REFUND');
  });

  it('leaves records that pass the reconciliation', async () => {
    const found = await reconcile();
    expect(found).toMatchObject({ differenceCount: 0, notChecked: [] });
    expect(found.checked.transfersOnChain).toBeGreaterThan(5);
  });

  it('is not watched on a node of another network', async () => {
    const { payment, key } = await asked();
    node.pay([{ key, amount: DUE }]);
    node.mine();
    shop.gateway = await shop.gateway.restart({ CHAIN_TRON_NETWORK: 'shasta' });
    await watch();
    expect(await shop.status(payment)).toBe('OPEN');
    shop.gateway = await shop.gateway.restart({ CHAIN_TRON_NETWORK: 'nile' });
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
  });
});

/** The 20 bytes of the shown address: what a wallet would pay to. */
function keyOf({ address: shown }: PaymentInstructionsContract): Buffer {
  const key = readTronAddress(shown);
  if (typeof key === 'string') throw new Error(`${shown} is no address`);
  return key;
}
