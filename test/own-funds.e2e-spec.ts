/**
 * @inOrder One shop whose addresses have keys, is emptied by the offline signer, and sees a fork take the fees back.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { privateKeyToAccount } from 'viem/accounts';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { RescanService } from '../src/chain-watcher/rescan.service.js';
import { toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import type { Hex } from './support/anvil.js';
import { CollectStage } from './support/collect-stage.js';
import { createOwner } from './support/principals.js';
import type { ReportView } from './support/reconciliation-harness.js';
import type { CreatedPayment } from './support/shop.js';

const DEPOSITS = 20;
const BNB = 10n ** 18n;
/** Ten US dollars. */
const TOKENS = 10n ** 7n;
/** 1,000 US dollars: what a customer might send. */
const MUCH = 2n * BNB;
/** A little more than that. */
const PRICE = MUCH + 1n;

const phrase = entropyToMnemonic(randomBytes(16), wordlist);
const destination = toChecksumAddress(randomBytes(20)) as Hex;
const payments: { payment: CreatedPayment; address: Hex }[] = [];
let stage: CollectStage;
let operatorToken: string;

beforeAll(async () => {
  stage = await CollectStage.open(phrase);
  const operator = await createOwner(stage.shop.gateway);
  await stage.shop.gateway.get(UsersService).setOperator(operator.userId, true);
  operatorToken = operator.accessToken;
});
afterAll(() => stage?.close());

/** Everything that says what was received. */
async function sums() {
  const { shop } = stage;
  const token = shop.owner.accessToken;
  const read = async (url: string) => {
    const { status, body } = await shop.call<unknown>('GET', url, token);
    return [status, body.data];
  };
  const [from, to] = [-86_400_000, 86_400_000].map((offset) =>
    new Date(shop.gateway.clock.now().getTime() + offset).toISOString(),
  );
  const holdings = await shop.call<Record<string, unknown>[]>(
    'GET',
    `/api/payment-applications/${stage.application.id}/holdings`,
    token,
  );
  return {
    home: await read('/api/payment-overview'),
    report: await read(`/api/reports/received?from=${from}&to=${to}&interval=total`),
    attention: await read('/api/attention'),
    holdings: holdings.body.data.map(({ blockchain, currencyCode, receivedAmount, pendingAmount }) => [
      blockchain,
      currencyCode,
      receivedAmount,
      pendingAmount,
    ]),
    payments: await Promise.all(payments.map(({ payment }) => withoutDepth(payment))),
  };
}

/** The payment, but for the blocks that have come since. */
async function withoutDepth(payment: CreatedPayment): Promise<string> {
  return JSON.stringify(await stage.shop.payment(payment), (name, value: unknown) =>
    name === 'confirmations' ? undefined : typeof value === 'bigint' ? String(value) : value,
  );
}

async function verified(): Promise<Pick<ReportView, 'consistent' | 'complete' | 'differences'>> {
  const { body } = await stage.shop.call<ReportView>('GET', '/api/admin/reconciliation', operatorToken);
  const { consistent, complete, differences } = body.data;
  return { consistent, complete, differences };
}
const GOOD = { consistent: true, complete: true, differences: [] };

async function ownFunds(): Promise<bigint[]> {
  const rows = await stage.shop.gateway.sql.query<{ amount: string }>(
    'select amount::text from own_transfers o order by o.amount',
  );
  return rows.map(({ amount }) => BigInt(amount));
}

/** As the holdings say it. */
async function ownFundsAmount(): Promise<unknown> {
  const url = `/api/payment-applications/${stage.application.id}/holdings`;
  type Holding = { ownFundsAmount: { atomic: string; currency: { code: string } } | null };
  const { body } = await stage.shop.call<Holding[]>('GET', url, stage.shop.owner.accessToken);
  expect(body.data[0]?.ownFundsAmount?.currency.code).toBe('BNB');
  return body.data[0]?.ownFundsAmount?.atomic;
}

/** A fee as the signer signs it. */
async function fromFees(to: Hex, value: bigint, nonce: number): Promise<Hex> {
  const key = stage.account.deriveChild(1).deriveChild(0).privateKey;
  if (!key) throw new Error('no key');
  return privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`).signTransaction({
    type: 'legacy',
    chainId: 56,
    to,
    value,
    nonce,
    gas: 21_000n,
    gasPrice: 5_000_000_000n,
  });
}

it('20 addresses are paid in tokens', async () => {
  for (let i = 0; i < DEPOSITS; i++) {
    const payment = await stage.shop.createPayment(stage.application, { amount: 1_000 });
    const address = (await stage.shop.instructions(payment, 'usdc', 'bsc')).address as Hex;
    payments.push({ payment, address });
    await stage.bsc.sendToken({ token: stage.usdc, to: address, value: TOKENS });
  }
  await stage.watch();
  await stage.shop.settle();
  for (const { payment } of payments)
    expect(['RECEIVED', 'CONFIRMED']).toContain(await stage.shop.status(payment));
});

it('the coin that the signer sends for fees is no customer’s money', async () => {
  const before = await sums();
  const plan = await stage.onlyPlan();
  await stage.bsc.sendEth({ to: stage.fees, value: BigInt(plan.funding.needed) + 100n * BNB });
  await stage.bsc.mine();
  await stage.onlyPlan();
  expect((await stage.sign(['--to', destination], [phrase, 'yes'])).code).toBe(0);
  await stage.bsc.rpc('evm_setAutomine', [true]);
  const sent = await stage.programs.run('collect-send', [
    '--transactions',
    path.join(stage.programs.work, 'signed-transactions.json'),
    '--node',
    stage.bsc.url,
  ]);
  expect([sent.code, sent.said]).toEqual([0, expect.stringContaining('are done')]);
  await stage.bsc.rpc('evm_setAutomine', [false]);
  await stage.watch();
  await stage.shop.settle();
  expect((await stage.sums([destination]))[1]).toBe(BigInt(DEPOSITS) * TOKENS);
  const fees = await ownFunds();
  expect(fees).toHaveLength(DEPOSITS);
  expect(await ownFundsAmount()).toBe(String(fees.reduce((sum, one) => sum + one, 0n)));
  expect(await sums()).toEqual(before);
  expect(await verified()).toEqual(GOOD);
});

it('nor is what lies there above every floor; a stranger’s coin is', async () => {
  const [own, stranger] = payments;
  if (!own || !stranger) throw new Error('no payments');
  const before = await sums();
  await stage.bsc.rpc('eth_sendRawTransaction', [await fromFees(own.address, MUCH, DEPOSITS)]);
  await stage.watch();
  await stage.shop.settle();
  expect((await ownFunds()).at(-1)).toBe(MUCH);
  expect(await sums()).toEqual(before);
  expect(await verified()).toEqual(GOOD);
  // The next plan has it.
  const plan = await stage.onlyPlan();
  const held = plan.addresses.find(({ address }) => address === own.address)?.balance;
  expect(BigInt(held ?? 0)).toBeGreaterThanOrEqual(MUCH);

  await stage.bsc.sendEth({ to: stranger.address, value: MUCH });
  await stage.watch();
  expect(await ownFunds()).toHaveLength(DEPOSITS + 1);
  expect(await withoutDepth(stranger.payment)).not.toBe(before.payments[1]);
});

it('an order that waits for its price is not paid by it', async () => {
  const payment = await stage.shop.createPayment(stage.application, { amount: 100_000 });
  const address = (await stage.shop.instructions(payment, 'bnb', 'bsc')).address as Hex;
  payments.push({ payment, address });
  const before = await sums();
  await stage.bsc.rpc('eth_sendRawTransaction', [await fromFees(address, PRICE, DEPOSITS + 1)]);
  await stage.watch();
  await stage.shop.settle();
  expect(await ownFunds()).toHaveLength(DEPOSITS + 2);
  expect(await sums()).toEqual(before);
  expect(await stage.shop.status(payment)).toBe('OPEN');
  expect(await verified()).toEqual(GOOD);
});

it('a fork takes it back, and the next block brings it again', async () => {
  const [, , third] = payments;
  if (!third) throw new Error('no payment');
  const before = await sums();
  const signed = await fromFees(third.address, MUCH, DEPOSITS + 2);
  await stage.bsc.rpc('eth_sendRawTransaction', [signed]);
  await stage.bsc.mine();
  const watcher = stage.shop.gateway.get(ChainWatcherService);
  await watcher.drain('bsc');
  expect(await ownFunds()).toHaveLength(DEPOSITS + 3);
  await stage.bsc.reorg(1);
  await stage.bsc.rpc('anvil_dropAllTransactions');
  await stage.bsc.mine(2);
  await watcher.drain('bsc');
  expect(await ownFunds()).toHaveLength(DEPOSITS + 2);
  expect(await verified()).toEqual(GOOD);
  await stage.bsc.rpc('eth_sendRawTransaction', [signed]);
  await stage.watch();
  expect(await ownFunds()).toHaveLength(DEPOSITS + 3);
  expect(await sums()).toEqual(before);
  expect(await verified()).toEqual(GOOD);
});

it('reading blocks again says nothing twice', async () => {
  const { height } = await stage.shop.gateway.sql
    .query<{ height: number }>('select min(block_height)::integer as height from own_transfers')
    .then(([row]) => row ?? { height: 0 });
  const range = { chain: 'bsc', from: height, to: await stage.bsc.blockNumber() };
  for await (const step of stage.shop.gateway.get(RescanService).run(range))
    expect([step.recorded, step.conflicting]).toEqual([0, []]);
  expect(await ownFunds()).toHaveLength(DEPOSITS + 3);
  expect(await verified()).toEqual(GOOD);
});

it.each([
  ['deleted', 'delete from own_transfers where amount = $1', 'balance'],
  ['changed', 'update own_transfers set amount = amount + 1 where amount = $1', 'integrity'],
])('verify names a row that was %s', async (_how, statement, check) => {
  const { sql } = stage.shop.gateway;
  await sql.query('create table saved_own as select * from own_transfers');
  await sql.query(statement, [String(PRICE)]);
  expect((await verified()).differences.map((one) => one.check)).toContain(check);
  await sql.query('delete from own_transfers');
  await sql.query('insert into own_transfers select * from saved_own');
  await sql.query('drop table saved_own');
  expect(await verified()).toEqual(GOOD);
});
