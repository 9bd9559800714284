import type { CheckoutStatusContract } from '../../src/checkout/checkout.contract.js';
import { Reconciliation } from '../../src/operations/reconciliation/reconciliation.service.js';
import { changeSite } from '../support/change-site.js';
import { ApplicationsApi } from '../support/applications-api.js';
import { describeInBrowser, launchChromium, openTab, pageUrl } from '../support/chromium.js';
import { createOwner } from '../support/principals.js';
import { type CreatedPayment, type PaymentDto, Shop, type ShopApplication } from '../support/shop.js';
import { startTestGateway } from '../support/test-gateway.js';

/** 100 USD; an ether is 2,000 USD. */
const ORDINARY = { amount: 10_000 };
const LARGE = { amount: 40_000 };
const HUGE = { amount: 200_000 };
const MILLIETHER = 10n ** 15n;

describe('required confirmations', () => {
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    shop = await Shop.open({
      CHAIN_ETHEREUM_CONFIRMATIONS: '3,ETH:0.2:5,ETH:1:8,USDT:1000:9',
      CHAIN_ETHEREUM_CONFIRMATIONS_MIN: '1',
      CHAIN_ETHEREUM_CONFIRMATIONS_MAX: '10',
      CHAIN_STALL_BLOCKS: '10',
    });
    application = await shop.application();
  });
  afterAll(async () => {
    const report = await shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });
    await shop.close();
    expect(report.differences).toEqual([]);
  });

  const progress = async (payment: CreatedPayment) =>
    (await shop.checkout<CheckoutStatusContract>(payment, `payment/${payment.id}`)).body.data.confirmations;
  const required = ({ transactions }: PaymentDto) =>
    transactions.map(({ confirmationsRequired }) => confirmationsRequired);
  const put = (id: string, confirmations: unknown) =>
    shop.call<{ site: { setting: object } }>(
      'PUT',
      `/api/payment-applications/${id}`,
      shop.owner.accessToken,
      { confirmations },
    );

  it.each([
    ['an ordinary payment', ORDINARY, 'eth', 3],
    ['a large one', LARGE, 'eth', 5],
    ['a huge one', HUGE, 'eth', 8],
    ['a huge one in another asset', HUGE, 'usdt', 9],
    ['an ordinary one in that asset', LARGE, 'usdt', 3],
  ])('of %s of %j in %s are %i, in every response', async (_what, price, method, blocks) => {
    const payment = await shop.createPayment(application, price);
    const methods = await shop.checkout<{ method: string; confirmationsRequired: number }[]>(
      payment,
      `${payment.id}/payment-methods`,
    );
    expect(methods.body.data.find((each) => each.method === method)?.confirmationsRequired).toBe(blocks);
    const instructions = await shop.instructions(payment, method);
    const unseen = { seen: 0, required: blocks, estimatedSecondsRemaining: null, delayed: false };
    expect(instructions.confirmations).toMatchObject(unseen);
    expect(await progress(payment)).toMatchObject(unseen);

    await shop.send(instructions);
    await shop.mine();
    expect(required(await shop.payment(payment))).toEqual([blocks]);
    expect(await progress(payment)).toMatchObject({ seen: 1, required: blocks });
    await shop.mine(blocks - 2);
    expect(await shop.status(payment)).toBe('FOUND');
    await shop.mine();
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await progress(payment)).toMatchObject({
      seen: blocks,
      required: blocks,
      estimatedSecondsRemaining: 0,
      delayed: false,
    });
  });

  it('are not fewer for a payment in many small transfers', async () => {
    const payment = await shop.createPayment(application, HUGE);
    const instructions = await shop.instructions(payment);
    for (let i = 0; i < 3; i++) {
      await shop.send(instructions, 200n * MILLIETHER);
      await shop.mine();
    }
    for (let i = 0; i < 10; i++) await shop.send(instructions, 40n * MILLIETHER);
    await shop.mine();
    expect(new Set(required(await shop.payment(payment)))).toEqual(new Set([8]));
    expect(await progress(payment)).toMatchObject({ seen: 1, required: 8 });
    await shop.mine(6);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'FOUND',
      receivedAmount: { amount: 120_000 },
    });
    await shop.mine();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('rise together for pending transfers when an overpayment arrives', async () => {
    const payment = await shop.createPayment(application, ORDINARY);
    const instructions = await shop.instructions(payment);
    await shop.send(instructions);
    await shop.mine(2);
    expect(required(await shop.payment(payment))).toEqual([3]);
    // In the very block that would have been the third.
    await shop.send(instructions, 150n * MILLIETHER);
    await shop.mine();
    expect(required(await shop.payment(payment))).toEqual([5, 5]);
    expect(await shop.payment(payment)).toMatchObject({ status: 'FOUND', receivedAmount: { amount: 0 } });
    await shop.mine(2);
    expect(await shop.payment(payment)).toMatchObject({ receivedAmount: { amount: 10_000 } });

    // Transfers that have counted keep their number; only pending ones get more.
    shop.gateway.clock.advanceSeconds(1);
    await shop.send(instructions, 900n * MILLIETHER);
    await shop.mine();
    expect(required(await shop.payment(payment))).toEqual([5, 8, 8]);
    await shop.mine(7);
    expect(await shop.payment(payment)).toMatchObject({ overpaidAmount: { amount: 210_000 } });
  });

  it('are kept by reorganized transfers and computed anew for later ones', async () => {
    const payment = await shop.createPayment(application, ORDINARY);
    const instructions = await shop.instructions(payment);
    await shop.send(instructions);
    await shop.mine(3);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    await shop.send(instructions, 150n * MILLIETHER);
    await shop.mine();
    expect(required(await shop.payment(payment))).toEqual([3, 5]);
    await shop.chain.reorg(4);
    await shop.mine();
    expect(required(await shop.payment(payment))).toEqual([3, 5]);
    const mined = await shop.send(instructions);
    await shop.mine();
    const { transactions } = await shop.payment(payment);
    expect(transactions.find(({ txHash }) => txHash === mined)?.confirmationsRequired).toBe(3);
  });

  it('cannot be lowered in the database, nor changed for a transfer that has counted', async () => {
    const payment = await shop.createPayment(application, ORDINARY);
    await shop.send(await shop.instructions(payment));
    await shop.mine();
    const set = (value: number) =>
      shop.gateway.sql.query(
        'update payment_transfers set confirmations_required = $2 where payment_id = $1',
        [payment.id, value],
      );
    await expect(set(2)).rejects.toThrow('only rise');
    await set(4);
    await shop.mine(3);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    await expect(set(5)).rejects.toThrow('only while it waits');
    const site = (text: string) =>
      shop.gateway.sql.query('update sites set confirmations = $2::jsonb where id = $1', [
        application.site.id,
        text,
      ]);
    for (const text of ['[]', '3', '{"bitcoin":0}', '{"bitcoin":1.5}', '{"bitcoin":"3"}', '{"bitcoin":[3]}'])
      await expect(site(text)).rejects.toThrow('sites_confirmations_check');
  });

  describe('of an application', () => {
    it("are the application's within the operator’s bounds, and tiers stay above them", async () => {
      const quick = await shop.application({ confirmations: { ethereum: 1 } });
      const [small, large] = [
        await shop.createPayment(quick, ORDINARY),
        await shop.createPayment(quick, LARGE),
      ];
      await shop.send(await shop.instructions(small));
      await shop.send(await shop.instructions(large));
      await shop.mine();
      expect(await shop.status(small)).toBe('CONFIRMED');
      expect(await progress(large)).toMatchObject({ seen: 1, required: 5 });

      const slow = await shop.application({ confirmations: { ethereum: 10 } });
      const patient = await shop.createPayment(slow, HUGE);
      expect((await shop.instructions(patient)).confirmations.required).toBe(10);
    });

    it('are shown, replaced as a whole, and unchanged by other updates', async () => {
      const { id, site } = await shop.application({ confirmations: { ethereum: 4 } });
      const shown = async () => {
        const answer = await shop.call<{ setting: object }>(
          'GET',
          `/api/sites/${site.id}`,
          shop.owner.accessToken,
        );
        return answer.body.data.setting;
      };
      expect(await shown()).toMatchObject({ confirmations: { ethereum: 4 } });
      const path = `/api/payment-applications/${id}`;
      await shop.call('PUT', path, shop.owner.accessToken, { allowUnderpay: true });
      expect(await shown()).toMatchObject({ allowUnderpay: true, confirmations: { ethereum: 4 } });
      expect((await put(id, { ethereum: 6 })).body.data.site.setting).toMatchObject({
        allowUnderpay: true,
        confirmations: { ethereum: 6 },
      });
      await put(id, {});
      expect(await shown()).toMatchObject({ confirmations: {} });
    });

    it.each([
      [
        { ethereum: 11 },
        { 'confirmations.ethereum': ['The confirmations.ethereum field must be between 1 and 10.'] },
      ],
      [
        { ethereum: 0 },
        { 'confirmations.ethereum': ['The confirmations.ethereum field must be between 1 and 10000.'] },
      ],
      [
        { ethereum: '3' },
        { 'confirmations.ethereum': ['The confirmations.ethereum field must be an integer.'] },
      ],
      [
        { ethereum: 3, bitcoin: 3 },
        {
          'confirmations.bitcoin': [
            'The selected confirmations.bitcoin is known, but not enabled on this gateway; enabled: ethereum.',
          ],
        },
      ],
    ])('are refused by name: %j', async (wanted, errors) => {
      expect(await put(application.id, wanted)).toMatchObject({ status: 422, body: { errors } });
      const fields = { name: 'Test shop', secret: 'secret', confirmations: wanted };
      const created = await shop.call('POST', '/api/payment-applications', shop.owner.accessToken, fields);
      expect(created).toMatchObject({ status: 422, body: { code: 'validation_failed', errors } });
    });

    it('apply to transfers recorded after a change, never fewer than shown before', async () => {
      const changing = await shop.application();
      const payment = await shop.createPayment(changing, ORDINARY);
      const instructions = await shop.instructions(payment);
      await shop.send(instructions, 10n * MILLIETHER);
      await shop.mine();
      await put(changing.id, { ethereum: 6 });
      await shop.mine();
      expect(required(await shop.payment(payment))).toEqual([3]);
      await shop.send(instructions, 10n * MILLIETHER);
      await shop.mine();
      expect(required(await shop.payment(payment))).toEqual([6, 6]);
      await put(changing.id, { ethereum: 1 });
      await shop.send(instructions, 30n * MILLIETHER);
      await shop.mine();
      expect(required(await shop.payment(payment))).toEqual([6, 6, 6]);
      await shop.mine(5);
      expect(await shop.status(payment)).toBe('CONFIRMED');
    });

    it('are the nearest allowed number when the operator’s bounds have become tighter', async () => {
      const slow = await shop.application({ confirmations: { ethereum: 10 } });
      const payment = await shop.createPayment(slow, ORDINARY);
      shop.gateway = await shop.gateway.restart({ CHAIN_ETHEREUM_CONFIRMATIONS_MAX: '6' });
      expect((await shop.instructions(payment)).confirmations.required).toBe(6);
      shop.gateway = await shop.gateway.restart({ CHAIN_ETHEREUM_CONFIRMATIONS_MAX: '10' });
      expect((await shop.instructions(payment)).confirmations.required).toBe(10);
    });
  });

  it('cannot be configured on chains with finality', async () => {
    const gateway = await startTestGateway({
      CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
      CHAIN_ETHEREUM_FINALITY: 'finalized',
    });
    const api = new ApplicationsApi(gateway, await createOwner(gateway));
    const { id } = await api.create({ name: 'Patient shop' });
    const answer = await api.put(id, { confirmations: { ethereum: 200 } });
    await gateway.close();
    expect(answer).toMatchObject({
      status: 422,
      error: {
        errors: {
          'confirmations.ethereum': [
            'The confirmations.ethereum field cannot be set: Ethereum decides when funds are final.',
          ],
        },
      },
    });
  });

  it("are the chain's own on chains with finality, whatever was configured before", async () => {
    const final = await Shop.open({
      CHAIN_ETHEREUM_FINALITY: 'finalized',
      CHAIN_ETHEREUM_CONFIRMATIONS: '12',
    });
    try {
      const shopOfOld = await final.application();
      await changeSite(final.gateway, shopOfOld.id, `confirmations = '{"ethereum":1}'`);
      const payment = await final.createPayment(shopOfOld, HUGE);
      const instructions = await final.instructions(payment);
      expect(instructions.confirmations).toMatchObject({ seen: 0, required: 12 });
      await final.send(instructions);
      await final.mine();
      // One block is not final, and the override asks for no more.
      expect(await final.status(payment)).toBe('FOUND');
      expect((await final.instructions(payment)).confirmations).toMatchObject({ seen: 1, required: 12 });
      // This node calls a block final two blocks later, which is sooner than usual.
      await final.mine(2);
      expect(await final.status(payment)).toBe('CONFIRMED');
      expect((await final.instructions(payment)).confirmations).toMatchObject({
        seen: 12,
        required: 12,
        estimatedSecondsRemaining: 0,
        delayed: false,
      });
      const { differences } = await final.gateway.get(Reconciliation).run({ limit: 10, budget: null });
      // The site of old is not as the audit log says that it was left.
      expect(differences.filter(({ check }) => check !== 'row')).toEqual([]);
    } finally {
      await final.close();
    }
  });

  describe('take as long as blocks take', () => {
    /** So many blocks, 20 seconds apart. */
    const mineSlowly = async (blocks: number) => {
      await shop.chain.rpc('anvil_mine', [`0x${blocks.toString(16)}`, '0x14']);
      await shop.settle();
    };

    /** The node adds the pauses of a busy machine to some of them. */
    const expectToTake = (actual: CheckoutStatusContract['confirmations'], seen: number, seconds: number) => {
      expect(actual).toMatchObject({ seen, required: 8, delayed: false });
      expect(actual?.estimatedSecondsRemaining).toBeGreaterThanOrEqual(seconds);
      expect(actual?.estimatedSecondsRemaining).toBeLessThanOrEqual(Math.ceil(seconds * 1.15));
    };

    it('on average over the last hundred', async () => {
      await mineSlowly(110);
      const payment = await shop.createPayment(application, HUGE);
      await shop.send(await shop.instructions(payment));
      await mineSlowly(1);
      expectToTake(await progress(payment), 1, 7 * 20);
      await mineSlowly(6);
      expectToTake(await progress(payment), 7, 20);
      await mineSlowly(1);
      expect(await progress(payment)).toMatchObject({ seen: 8, estimatedSecondsRemaining: 0 });
    });

    it('and has no estimate while no blocks arrive', async () => {
      const payment = await shop.createPayment(application, HUGE);
      const { confirmations } = await shop.instructions(payment);
      await shop.send(await shop.instructions(payment));
      await mineSlowly(2);
      shop.gateway.clock.advanceSeconds(121);
      await shop.settle();
      const late = { seen: 2, required: 8, estimatedSecondsRemaining: null, delayed: true };
      expect(await progress(payment)).toMatchObject(late);
      expect((await shop.instructions(payment)).confirmations).toMatchObject(late);
      // Who has sent nothing yet waits for nothing.
      expect(confirmations).toMatchObject({ delayed: false });
      await mineSlowly(1);
      expectToTake(await progress(payment), 3, 100);
      await mineSlowly(5);
    });
  });

  describeInBrowser('on the page', () => {
    it('are shown on the page with the estimated time, or that the network is delayed', async () => {
      const browser = await launchChromium();
      try {
        const payment = await shop.createPayment(application, HUGE);
        const instructions = await shop.instructions(payment);
        const { page, incidents } = await openTab(browser);
        await page.clock.install();
        await page.goto(pageUrl(shop, payment));
        await shop.send(instructions);
        await shop.chain.rpc('anvil_mine', ['0x1', '0x14']);
        await shop.settle();
        const seesNext = async (words: string) => {
          await page.clock.fastForward(5_000);
          await page.locator('main').filter({ hasText: words }).waitFor();
        };
        await seesNext('Confirming: 1 of 8');
        await seesNext('Usually done in about 2 minutes.');
        await page.getByRole('status').filter({ hasText: 'Payment seen, being confirmed' }).waitFor();
        shop.gateway.clock.advanceSeconds(121);
        await shop.settle();
        await seesNext('Confirmations are delayed.');
        expect(await page.locator('main').innerText()).not.toContain('Usually done');
        await page.getByRole('status').filter({ hasText: 'Confirmations are delayed.' }).waitFor();

        await shop.chain.rpc('anvil_mine', ['0x1', '0x14']);
        await shop.settle();
        await seesNext('Confirming: 2 of 8');
        await seesNext('Usually done in about 2 minutes.');
        expect(await page.locator('main').innerText()).not.toContain('delayed');
        await shop.mine(6);
        await seesNext('Payment complete');
        expect(incidents).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });
});
