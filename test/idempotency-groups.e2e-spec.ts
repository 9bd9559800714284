/**
 * @inOrder One table of keys, which the tests fill and count.
 */
import { jest } from '@jest/globals';
import { type Insertion, PaymentInsertionRepository } from '../src/payments/payment-insertion.repository.js';
import { newId } from '../src/platform/kernel/ids.pure.js';
import { ApplicationsApi } from './support/applications-api.js';
import { blockInserts } from './support/blocked-table.js';
import {
  CHAIN_ENV,
  type KeyedAnswer,
  KeyedMerchant,
  type KeyedPost,
  newKey,
  OF_THE_FIRST,
} from './support/keyed-api.js';
import type { TestGateway } from './support/test-gateway.js';
import { WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;
let gateway: TestGateway;
let shop: KeyedMerchant;

beforeAll(async () => {
  harness = await WebhookHarness.start(CHAIN_ENV);
  gateway = harness.gateway;
});
beforeEach(async () => {
  shop = await KeyedMerchant.open(harness);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => harness.stop());

const post = (request: Partial<KeyedPost> = {}) => shop.post(request);
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Creations that arrive while another one is written, so that they share the next write. */
async function postTogether(requests: readonly Partial<KeyedPost>[]): Promise<KeyedAnswer[]> {
  const inserts = jest.spyOn(PaymentInsertionRepository.prototype, 'insert');
  const paused = await blockInserts(gateway.databaseUrl, 'payments');
  const first = post();
  await paused.untilWaiting(1);
  inserts.mockClear();
  const answers = requests.map((request) => post(request));
  while (inserts.mock.calls.length < requests.length) await nextTurn();
  await paused.release();
  expect((await first).status).toBe(201);
  return Promise.all(answers);
}

/** Ids of the transactions that wrote the payments and the keys. */
async function writersOf(answers: readonly KeyedAnswer[], keys: readonly string[]): Promise<string[]> {
  const rows = await gateway.sql.query<{ writer: string }>(
    `select xmin::text as writer from payments where id = any($1::uuid[])
     union all select xmin::text from idempotency_keys where key = any($2::text[])`,
    [answers.map(({ data }) => data.id), keys],
  );
  expect(rows).toHaveLength(answers.length + keys.length);
  return rows.map(({ writer }) => writer);
}

/** What a creation with a key inserts, for a payment and a key of its own. */
async function newInsertions(count: number): Promise<(Insertion & { key: NonNullable<Insertion['key']> })[]> {
  const inserts = jest.spyOn(PaymentInsertionRepository.prototype, 'insert');
  await post();
  const [[insertion] = []] = inserts.mock.calls;
  if (!insertion?.key) throw new Error('nothing was inserted with its key');
  const { payment, families, key } = insertion;
  return Array.from({ length: count }, () => ({
    payment: { ...payment, id: newId(gateway.clock.now()) },
    families,
    key: { ...key, key: newKey() },
  }));
}

describe('payments that are created at the same time', () => {
  it('are written by one transaction together with the keys of their requests', async () => {
    const keys = [newKey(), newKey(), newKey()];
    const answers = await postTogether([...keys, null, null].map((key) => ({ key })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(await writersOf(answers, keys)).size).toBe(1);
    for (const [i, key] of keys.entries()) {
      const again = await post({ key });
      expect([again.isReplayed, again.text]).toEqual([true, answers[i]?.text]);
    }
    expect(await shop.countPayments()).toBe(6);
  });

  it('do not fail with one that cannot be written, whose key stays free', async () => {
    await gateway.sql.query(
      `create function fail_one() returns trigger language plpgsql as $$
         begin
           if new.reference = 'FAILS' then raise exception 'a bug' using errcode = 'P0001'; end if;
           return new;
         end $$`,
    );
    await gateway.sql.query(
      'create trigger fail_one before insert on payments for each row execute function fail_one()',
    );
    const [good, bad] = [newKey(), newKey()];
    const failing = { key: bad, body: { ...shop.checkout, reference: 'FAILS' } };
    const answers = await postTogether([{ key: good }, failing, { key: null }]);
    expect(answers.map(({ status }) => status)).toEqual([201, 500, 201]);
    expect([await shop.countKeys(good), await shop.countKeys(bad), await shop.countPayments()]).toEqual([
      1, 0, 3,
    ]);
    await gateway.sql.query('drop trigger fail_one on payments');
    const again = await post(failing);
    expect([again.status, again.isReplayed]).toEqual([201, false]);
  });

  it('are created once for two equal keys', async () => {
    const [one, other] = await newInsertions(2);
    if (!one || !other) throw new Error('two were wanted');
    const payments = gateway.get(PaymentInsertionRepository);
    const outcomes = await Promise.all(
      [one, { ...other, key: one.key }].map((each) => payments.insert(each)),
    );
    expect(outcomes.toSorted()).toEqual(['created', 'key_in_use']);
    expect([await shop.countKeys(one.key.key), await shop.countPayments()]).toEqual([1, 2]);
  });

  it('leave the key free of one that no wallet can receive', async () => {
    const [payable, unpayable] = await newInsertions(2);
    if (!payable || !unpayable) throw new Error('two were wanted');
    const payments = gateway.get(PaymentInsertionRepository);
    const outcomes = await Promise.all(
      // The merchant has no wallet of their own.
      [payable, { ...unpayable, families: ['evm'] as const }].map((each) => payments.insert(each)),
    );
    expect(outcomes).toEqual(['created', 'no_wallet']);
    expect(await Promise.all([payable, unpayable].map(({ key }) => shop.countKeys(key.key)))).toEqual([1, 0]);
  });
});

it('a key that an unfinished request holds delays no other creation', async () => {
  const key = newKey();
  const first = await shop.hold(key, await harness.addGateway(CHAIN_ENV));
  const [repeated, ...others] = [post({ key }), post(), post({ key: null })];
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([201, 201]);
  await first.finish();
  expect(await repeated).toMatchObject({ isReplayed: true, text: OF_THE_FIRST });
});

it('a repeated creation that would be refused now returns the first response', async () => {
  const key = newKey();
  const first = await post({ key, token: shop.owner.accessToken });
  await new ApplicationsApi(gateway, shop.owner).delete(shop.merchant.applicationId);
  expect((await post({ token: shop.owner.accessToken })).status).toBe(422);
  const again = await post({ key, token: shop.owner.accessToken });
  expect([again.status, again.isReplayed, again.text]).toEqual([201, true, first.text]);
  const changed = await post({ key, token: shop.owner.accessToken, body: { amount: 'none' } });
  expect([changed.status, changed.code]).toEqual([422, 'idempotency_key_reused']);
});
