import type { Hex } from './support/anvil.js';
import { ReconciliationHarness } from './support/reconciliation-harness.js';

/** Rows that no guard of the database would let pass, one kind at a time. */
describe('the reconciliation of falsified records', () => {
  let harness: ReconciliationHarness;
  beforeAll(async () => {
    harness = await ReconciliationHarness.open();
  });
  afterAll(() => harness.close());

  const pairs = (changes: Record<string, string>) =>
    Object.entries(changes)
      .map(([key, value]) => `, '${key}', ${value}`)
      .join('');
  const copy = (changes: Record<string, string>) => `
    insert into payment_transfers select (jsonb_populate_record(t, jsonb_build_object(
      'id', gen_random_uuid()${pairs(changes)}))).*
    from payment_transfers t where payment_id = $1 limit 1`;
  const lastEntry = `where payment_id = $1 and seq = (select max(seq) from payment_status_history where payment_id = $1)`;

  it.each<[name: string, check: string, payment: string, statements: string[]]>([
    [
      'a received amount',
      'amounts',
      'ether',
      ['update payments set received_amount = received_amount + 1 where id = $1'],
    ],
    [
      'an overpaid amount',
      'amounts',
      'over',
      ['update payments set overpaid_amount = overpaid_amount - 1 where id = $1'],
    ],
    [
      'a credited amount',
      'parts',
      'ether',
      ['update payment_transfers set credited_amount = credited_amount + 1 where payment_id = $1'],
    ],
    ['an underpaid amount', 'amounts', 'short', ['update payments set underpaid_amount = 1 where id = $1']],
    ['a refunded amount', 'amounts', 'over', ['update payments set refunded_amount = 1 where id = $1']],
    ['a settled amount', 'settled', 'ether', ['update payments set settled_amount = 9999 where id = $1']],
    [
      'a status without funds, with a history',
      'status',
      'open',
      [
        `update payments set status = 'CONFIRMED', status_seq = 4, found_at = created_at, confirmed_at = created_at where id = $1`,
        `insert into payment_status_history select id, user_id, n, f, t, 'planted', created_at from payments,
          (values (2, 'OPEN', 'FOUND'), (3, 'FOUND', 'RECEIVED'), (4, 'RECEIVED', 'CONFIRMED')) v (n, f, t) where id = $1`,
      ],
    ],
    ['a status behind the facts', 'status', 'ether', [`update payments set status = 'FOUND' where id = $1`]],
    ['a status without a history', 'history', 'short', [`update payments set status_seq = 9 where id = $1`]],
    [
      'a missing entry of the history',
      'history',
      'ether',
      [`delete from payment_status_history where payment_id = $1 and seq = 2`],
    ],
    [
      'an illegal move',
      'history',
      'ether',
      [`update payment_status_history set to_status = 'CANCELLED' ${lastEntry}`],
    ],
    [
      'a forgotten reason to look',
      'review',
      'cancelled',
      ['update payments set review_reason = null where id = $1'],
    ],
    [
      'a missing event',
      'events',
      'ether',
      [`delete from payment_events where payment_id = $1 and type = 'payment.received'`],
    ],
    [
      'an event with another amount',
      'events',
      'ether',
      [`update payment_events set body = replace(body, '10000', '20000') where payment_id = $1`],
    ],
    [
      'an unreadable event',
      'events',
      'ether',
      [`update payment_events set body = '{' where payment_id = $1`],
    ],
    [
      'an event of another kind',
      'events',
      'ether',
      [
        `update payment_events set type = 'payment.refund' where payment_id = $1 and type = 'payment.completed'`,
      ],
    ],
    [
      'a changed quote',
      'quotes',
      'open',
      ['update quotes set asset_amount = asset_amount - 1 where payment_id = $1'],
    ],
    [
      'a transfer under the quote of another asset',
      'attribution',
      'token',
      [
        `update payment_transfers t set quote_id = q.id from quotes q
        where t.payment_id = $1 and q.payment_id = $1 and q.asset = 'native'`,
      ],
    ],
    [
      'a transfer confirmed too early',
      'depth',
      'young',
      [`update payment_transfers set state = 'confirmed', confirmed_at = seen_at where payment_id = $1`],
    ],
    [
      'a transfer still pending',
      'depth',
      'ether',
      [`update payment_transfers set state = 'pending', confirmed_at = null where payment_id = $1`],
    ],
    [
      'a transfer above the cursor',
      'depth',
      'ether',
      ['update payment_transfers set block_height = 1000000 where payment_id = $1'],
    ],
    [
      'another amount of ether',
      'transfer',
      'ether',
      ['update payment_transfers set amount = amount + 1 where payment_id = $1'],
    ],
    [
      'another amount of a token',
      'transfer',
      'token',
      ['update payment_transfers set amount = amount + 1 where payment_id = $1'],
    ],
    [
      'another amount of an internal transfer',
      'transfer',
      'internal',
      ['update payment_transfers set amount = amount + 1 where payment_id = $1'],
    ],
    [
      'another block',
      'transfer',
      'ether',
      ['update payment_transfers set block_height = block_height - 1 where payment_id = $1'],
    ],
    [
      'another block hash',
      'transfer',
      'ether',
      [`update payment_transfers set block_hash = '0x' || repeat('ab', 32) where payment_id = $1`],
    ],
    [
      'another place in the transaction',
      'transfer',
      'internal',
      [`update payment_transfers set ordinal = 'call:7' where payment_id = $1`],
    ],
    [
      'an invented transaction',
      'transfer',
      'open',
      [
        copy({ tx_hash: `'0x' || repeat('cd', 32)` }).replace(
          'payment_id = $1',
          `payment_id <> $1 and asset = 'native'`,
        ),
      ].map((text) => text.replace('limit 1', 'and $1::uuid is not null limit 1')),
    ],
    [
      'a transfer that came to another address',
      'transfer',
      'ether',
      [
        `update payment_transfers t set deposit_address_id = d.id from deposit_addresses d
        where t.payment_id = $1 and d.payment_id <> $1`,
      ],
    ],
    [
      'a credit that the records do not have',
      'balance',
      'ether',
      ['delete from payment_transfers where payment_id = $1'],
    ],
    [
      'a token credit that the records do not have',
      'balance',
      'token',
      ['delete from payment_transfers where payment_id = $1'],
    ],
    [
      'a credit that was taken back for nothing',
      'balance',
      'internal',
      [
        `update payment_transfers set state = 'orphaned', block_height = null, block_hash = null, block_time = null
        where payment_id = $1`,
      ],
    ],
    ['a credit twice', 'balance', 'ether', [copy({ ordinal: `'call:0'` })]],
    [
      'a foreign address',
      'address',
      'open',
      [
        `update deposit_addresses set address = '0x000000000000000000000000000000000000dEaD' where payment_id = $1`,
      ],
    ],
  ])('reports %s (%s)', async (_name, check, payment, statements) => {
    await harness.withPlanted(statements, [harness.idOf(payment)], async () => {
      const report = await harness.reconcile();
      expect(report.consistent).toBe(false);
      const checks = report.differences.map((each) => each.check);
      expect(checks).toContain(check);
    });
  });

  it('names the payment, the expected and the found value', async () => {
    await harness.withPlanted(
      ['update payments set received_amount = 123 where id = $1'],
      [harness.idOf('ether')],
      async () => {
        const [difference, ...others] = (await harness.reconcile()).differences;
        expect(others).toEqual([]);
        expect(difference).toEqual({
          check: 'amounts',
          chain: null,
          paymentId: harness.idOf('ether'),
          subject: 'receivedAmount',
          expected: '10000',
          found: '123',
        });
      },
    );
  });

  it('reports a failed transaction that was credited', async () => {
    const receipt = (await harness.shop.chain.rpc('eth_getTransactionReceipt', [harness.failedTx])) as {
      blockHash: Hex;
      blockNumber: Hex;
      status: Hex;
    };
    expect(receipt.status).toBe('0x0');
    const [height, hash] = [Number(receipt.blockNumber), `'${receipt.blockHash}'`];
    const planted = copy({
      tx_hash: `'${harness.failedTx}'`,
      block_height: String(height),
      block_hash: hash,
    });
    await harness.withPlanted([planted], [harness.idOf('ether')], async () => {
      const { differences } = await harness.reconcile();
      expect(differences).toContainEqual(
        expect.objectContaining({ check: 'transfer', expected: 'the transaction failed' }),
      );
    });
  });

  it('reports a cursor on a block that the chain does not have, and compares no balances there', async () => {
    await harness.withPlanted([`update chain_cursors set hash = '0x' || repeat('ee', 32)`], [], async () => {
      const report = await harness.reconcile();
      expect(report).toMatchObject({ consistent: false, complete: false, checked: { balances: 0 } });
      expect(report.differences).toMatchObject([{ check: 'cursor', chain: 'ethereum' }]);
    });
    expect(await harness.reconcile()).toMatchObject({ consistent: true });
  });

  it('reports a wallet whose key cannot be read', async () => {
    const damaged = `update wallets set sealed_extended_public_key = 'v1.t1.a.b.c'`;
    await harness.withPlanted([damaged], [], async () => {
      // A process of its own: the gateway has read the key before.
      const { code, output } = await harness.cli();
      expect(code).toBe(1);
      expect(output).toContain(
        `address: payment ${harness.idOf('open')}, evm\n    expected: a wallet's key that can be read\n`,
      );
    });
  });
});
