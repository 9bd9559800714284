import { jest } from '@jest/globals';
import { encodeFunctionData } from 'viem';
import { PaymentStateMachine } from '../src/payments/payment-state-machine.service.js';
import { GIVE_UP_AFTER_SECONDS } from '../src/refunds/refund-status.pure.js';
import { RefundVerifier } from '../src/refunds/refund-verifier.service.js';
import type { Hex } from './support/anvil.js';
import { RevertingInner } from './support/contracts/artifacts.js';
import { CUSTOMER, type RefundDto, RefundsApi } from './support/refunds-api.js';
import { CONFIRMATIONS, Shop } from './support/shop.js';

const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const NOWHERE = `0x${'ab'.repeat(32)}`;

/** A payout counts when it is on chain, with as many confirmations as a payment requires. */
describe('payouts of refunds', () => {
  let shop: Shop;
  let api: RefundsApi;

  beforeAll(async () => {
    shop = await Shop.open();
    api = new RefundsApi(shop, await shop.application());
  });
  afterAll(() => shop.close());

  describe('verification', () => {
    const open = async (method = 'eth') => api.create(await api.paid({}, method), { address: CUSTOMER });
    const failsWith = async (refund: RefundDto, txHash: string, failureReason: string) => {
      expect((await api.complete(refund, txHash)).status).toBe(200);
      await api.confirm();
      expect(await api.read(refund)).toMatchObject({
        status: 'FAILED',
        failureReason,
        txHash,
        completedAt: null,
      });
      expect(await shop.status({ id: refund.paymentId })).toBe('CONFIRMED');
      expect((await shop.payment({ id: refund.paymentId })).refundedAmount).toBeNull();
    };

    it('fails a payout to another address, of too little or of another asset, after which another can be recorded', async () => {
      const refund = await open();
      const owed = BigInt(refund.payoutAmount.atomic);
      await failsWith(refund, await api.payOut(refund, owed, OTHER), 'address_not_paid');
      await failsWith(refund, await api.payOut(refund, owed - 1n), 'amount_too_low');
      const from = shop.chain.account(0);
      const token = await shop.chain.sendToken({ token: shop.tokens.USDT, to: CUSTOMER, value: 7n, from });
      await failsWith(refund, token, 'wrong_asset');
      // Paying more than owed is accepted.
      const enough = await api.payOut(refund, owed + 1n);
      expect((await api.complete(refund, enough)).body.data).toMatchObject({
        status: 'PROCESSING',
        failureReason: null,
      });
      await api.confirm();
      expect((await api.read(refund)).status).toBe('COMPLETED');
    });

    it('accepts neither the native coin nor an unknown token in place of the promised one', async () => {
      const refund = await open('usdt');
      await failsWith(refund, await shop.chain.sendEth({ to: CUSTOMER, value: 10n ** 18n }), 'wrong_asset');
      const fake = await shop.chain.deployToken('USDT');
      const worthless = await shop.chain.sendToken({ token: fake.address, to: CUSTOMER, value: 10n ** 12n });
      await failsWith(refund, worthless, 'address_not_paid');
    });

    it('fails a transaction that a reorganization has removed', async () => {
      const refund = await open();
      const trick = await shop.chain.deploy(RevertingInner);
      const reverted = await shop.chain.send({
        gas: 200_000n,
        to: trick.address,
        value: BigInt(refund.payoutAmount.atomic),
        data: encodeFunctionData({ abi: trick.abi, functionName: 'fail', args: [] }),
      });
      await failsWith(refund, reverted, 'transaction_failed');
    });

    it('continues after a refund that cannot be written, and retries it', async () => {
      const [stuck, other] = [await open(), await open()];
      for (const refund of [stuck, other]) {
        expect((await api.complete(refund, await api.payOut(refund))).status).toBe(200);
        shop.gateway.clock.advanceSeconds(1);
      }
      const mover = shop.gateway.get(PaymentStateMachine);
      const failing = jest.spyOn(mover, 'refund').mockRejectedValueOnce(new Error('an invariant at work'));
      await api.confirm();
      expect(failing).toHaveBeenCalledTimes(2);
      failing.mockRestore();
      expect((await api.read(stuck)).status).toBe('PROCESSING');
      expect(await shop.status({ id: stuck.paymentId })).toBe('CONFIRMED');
      expect((await api.read(other)).status).toBe('COMPLETED');
      await api.verify();
      expect((await api.read(stuck)).status).toBe('COMPLETED');
      expect(await shop.status({ id: stuck.paymentId })).toBe('REFUND');
    });

    it('waits during a reorganization, and completes when the transaction is mined again', async () => {
      const refund = await open();
      const hash = await api.payOut(refund);
      const raw = await shop.chain.rpc<Hex>('eth_getRawTransactionByHash', [hash]);
      await api.complete(refund, hash);
      await api.confirm(4);
      expect((await api.read(refund)).confirmations.seen).toBe(4);
      await shop.chain.reorg(4);
      await api.verify();
      expect(await api.read(refund)).toMatchObject({ status: 'PROCESSING', confirmations: { seen: 0 } });
      await shop.chain.rpc('eth_sendRawTransaction', [raw]).catch(() => null);
      await api.confirm();
      expect((await api.read(refund)).status).toBe('COMPLETED');
    });

    it('fails a transaction that has not been seen for a day', async () => {
      const refund = await open();
      await api.complete(refund, NOWHERE);
      await api.verify();
      expect((await api.read(refund)).status).toBe('PROCESSING');
      shop.gateway.clock.advanceSeconds(GIVE_UP_AFTER_SECONDS);
      await api.verify();
      expect(await api.read(refund)).toMatchObject({
        status: 'FAILED',
        failureReason: 'transaction_not_found',
      });
      expect(await api.post({ id: refund.paymentId }, `/${refund.id}/cancel`)).toMatchObject({ status: 200 });
    });

    it('verifies a payout that was sped up, under its new hash', async () => {
      const refund = await open();
      await api.complete(refund, NOWHERE);
      expect((await api.settleRefund(refund)).status).toBe('COMPLETED');
    });

    it('counts what one transaction has paid once, also when two refunds are owed to one address', async () => {
      const [one, two] = [await open(), await open()];
      const hash = await api.payOut(one);
      const answers = await Promise.all([api.complete(one, hash), api.complete(two, hash)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await api.confirm();
      const refunds = [await api.read(one), await api.read(two)];
      expect(refunds.map(({ status }) => status).sort()).toEqual(['COMPLETED', 'FAILED']);
      const failed = refunds.find(({ status }) => status === 'FAILED') ?? one;
      expect(failed.failureReason).toBe('amount_too_low');
      // The same again is refused again, and one of its own is not.
      await api.complete(failed, hash);
      await api.confirm();
      expect((await api.read(failed)).status).toBe('FAILED');
      expect((await api.settleRefund(failed)).status).toBe('COMPLETED');
    });

    it.each(['', '0x12', 'ab'.repeat(32), `0x${'zz'.repeat(32)}`, `0x${'ab'.repeat(33)}`])(
      'refuses the hash "%s"',
      async (txHash) => {
        const refund = await (openOnce ??= open());
        expect(await api.complete(refund, txHash)).toMatchObject({
          status: 422,
          body: { errors: { txHash: [expect.any(String)] } },
        });
      },
    );
    let openOnce: Promise<RefundDto> | undefined;

    it('completes once when several processes verify at once', async () => {
      const refund = await open();
      await api.complete(refund, await api.payOut(refund));
      await shop.mine(CONFIRMATIONS);
      const verifier = shop.gateway.get(RefundVerifier);
      await Promise.all(Array.from({ length: 4 }, () => verifier.runOnce()));
      await shop.settle();
      expect((await api.read(refund)).status).toBe('COMPLETED');
      expect(
        shop.events({ id: refund.paymentId }).filter((event) => event === 'payment.refund'),
      ).toHaveLength(1);
    });
  });

  describe('illegal transitions', () => {
    const path = (refund: RefundDto, verb: string) => `/${refund.id}/${verb}`;
    const conflict = { status: 409, body: { code: 'invalid_state_transition' } };

    it('refuses completion without an address', async () => {
      const refund = await api.create(await api.paid());
      expect(await api.complete(refund, NOWHERE)).toMatchObject(conflict);
    });

    it('refuses to change address or cancel while a payout is being verified', async () => {
      const payment = await api.paid();
      const refund = await api.create(payment, { address: CUSTOMER });
      expect((await api.post(payment, path(refund, 'address'), { address: OTHER })).body.data.address).toBe(
        OTHER,
      );
      await api.complete(refund, NOWHERE);
      expect(await api.post(payment, path(refund, 'address'), { address: CUSTOMER })).toMatchObject(conflict);
      expect(await api.post(payment, path(refund, 'cancel'))).toMatchObject(conflict);
    });

    it('refuses everything after a cancellation but another cancellation', async () => {
      const payment = await api.paid();
      const refund = await api.create(payment, { address: CUSTOMER });
      for (const _twice of [1, 2]) expect((await api.post(payment, path(refund, 'cancel'))).status).toBe(200);
      expect(await api.complete(refund, NOWHERE)).toMatchObject(conflict);
      expect(await api.post(payment, path(refund, 'address'), { address: OTHER })).toMatchObject(conflict);
    });
  });
});
