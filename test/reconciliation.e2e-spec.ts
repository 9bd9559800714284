import { parseExact } from '../src/platform/kernel/exact-json.pure.js';
import type { Hex } from './support/anvil.js';
import { DUE, ReconciliationHarness } from './support/reconciliation-harness.js';
import { CONFIRMATIONS } from './support/shop.js';

describe('the reconciliation of correct records', () => {
  let harness: ReconciliationHarness;
  beforeAll(async () => {
    harness = await ReconciliationHarness.open();
  });
  afterEach(() => harness.proxy.setFaults({}));
  afterAll(() => harness.close());

  it('reports no difference, and lists unmatched funds', async () => {
    const report = await harness.reconcile();
    expect(report).toMatchObject({
      consistent: true,
      complete: true,
      differenceCount: 0,
      differences: [],
      notChecked: [],
      chains: [{ slug: 'ethereum', height: await harness.shop.chain.blockNumber(), problem: null }],
      unattributedCount: 1,
      unattributed: [
        {
          paymentId: harness.idOf('unasked'),
          currencyCode: 'USDC',
          amount: { amount: 1_500_000, formatted: '1.500000 USDC' },
        },
      ],
    });
    expect(report.checked).toMatchObject({
      payments: 9,
      quotes: 10,
      transfers: 9,
      transfersOnChain: 9,
      depositAddresses: 9,
      balances: 27,
      balancesSpent: 0,
    });
  });

  it('ignores blocks that the gateway has not applied yet', async () => {
    const { instructions } = await harness.ask('later');
    await harness.shop.send(instructions);
    await harness.shop.chain.mine(3);
    expect(await harness.reconcile()).toMatchObject({ consistent: true });
    await harness.shop.settle();
    expect(await harness.reconcile()).toMatchObject({ consistent: true });
  });

  it('reports no difference once a reorg was followed', async () => {
    const { instructions } = await harness.ask('reorged');
    await harness.shop.send(instructions);
    await harness.shop.mine(2);
    await harness.shop.chain.rpc('anvil_reorg', [3, []]);
    expect(await harness.reconcile()).toMatchObject({
      consistent: false,
      differences: [{ check: 'cursor' }],
    });
    await harness.shop.mine(1);
    await harness.shop.mine(CONFIRMATIONS);
    expect(await harness.reconcile()).toMatchObject({ consistent: true });
  });

  it('reports no difference while payments arrive and blocks are applied', async () => {
    let isOver = false;
    const busy = (async () => {
      for (let round = 0; round < 4; round++) {
        const { instructions } = await harness.ask(`busy ${round}`, round % 2 ? 'usdt' : 'eth');
        await harness.shop.send(instructions);
        await harness.shop.mine(6);
      }
      isOver = true;
    })();
    let looks = 0;
    while (!isOver) {
      expect(await harness.reconcile()).toMatchObject({ consistent: true });
      looks += 1;
    }
    await busy;
    expect(looks).toBeGreaterThan(0);
  });

  it('reports no difference for addresses whose funds were moved on', async () => {
    const away = '0x00000000000000000000000000000000000a11ce';
    for (const name of ['ether', 'token']) {
      const [row] = await harness.shop.gateway.sql.query<{ address: Hex }>(
        'select address from deposit_addresses where payment_id = $1',
        [harness.idOf(name)],
      );
      const from = row?.address ?? '0x';
      await harness.shop.chain.rpc('anvil_impersonateAccount', [from]);
      if (name === 'token') {
        await harness.shop.chain.rpc('anvil_setBalance', [from, '0xde0b6b3a7640000']);
        const data = `0xa9059cbb${away.slice(2).padStart(64, '0')}${100_000_000n.toString(16).padStart(64, '0')}`;
        await harness.shop.chain.rpc('eth_sendTransaction', [{ from, to: harness.shop.tokens.USDT, data }]);
      } else {
        await harness.shop.chain.rpc('eth_sendTransaction', [
          { from, to: away, value: `0x${(DUE / 2n).toString(16)}` },
        ]);
      }
    }
    await harness.shop.mine(2);
    const report = await harness.reconcile();
    expect(report).toMatchObject({ consistent: true });
    // Both coins and the token.
    expect(report.checked['balancesSpent']).toBe(3);
    await harness.withPlanted(
      ['update payment_transfers set amount = amount - 1 where payment_id = $1'],
      [harness.idOf('token')],
      async () => {
        const { differences } = await harness.reconcile();
        expect(differences).toContainEqual(
          expect.objectContaining({
            check: 'balance',
            expected: '100000000, which came',
            found: 'credited 99999999',
          }),
        );
      },
    );
  });

  it('lists what it could not compare when the node is down', async () => {
    harness.proxy.setFaults({
      '*': () => ({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'node is down' } }),
    });
    const report = await harness.reconcile();
    expect(report).toMatchObject({
      consistent: false,
      complete: false,
      differenceCount: 0,
      chains: [{ slug: 'ethereum', problem: expect.any(String) }],
      notChecked: [expect.stringContaining('ethereum: ')],
      checked: { payments: harness.made.size, balances: 0 },
    });
    expect((await harness.cli()).code).toBe(1);
  });

  describe('npm run verify', () => {
    it('exits with 0 and reports how much was compared', async () => {
      const { code, output } = await harness.cli();
      expect([code, output]).toEqual([0, expect.stringContaining('Result: consistent\n')]);
      expect(output).toContain(`${harness.made.size} payments with`);
      expect(output).toContain('1.500000 USDC on ethereum');
    });

    it('exits with 1 and lists the differences, as JSON on request', async () => {
      await harness.withPlanted(
        ['update payments set received_amount = 123 where id = $1'],
        [harness.idOf('ether')],
        async () => {
          const text = await harness.cli();
          expect(text.code).toBe(1);
          expect(text.output).toContain(
            `  amounts: payment ${harness.idOf('ether')}, receivedAmount\n    expected: 10000\n    found:    123\n`,
          );
          expect(text.output).toContain('Result: DIFFERENT\n');
          const json = await harness.cli('--json');
          expect(json.code).toBe(1);
          expect(parseExact(json.output)).toMatchObject({
            consistent: false,
            differences: [{ check: 'amounts', paymentId: harness.idOf('ether') }],
          });
        },
      );
    });
  });
});
