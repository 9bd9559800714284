import { RefundPresenter } from '../../src/refunds/refund-presenter.service.js';
import { CHECK_INTERVAL_SECONDS, RefundVerifier } from '../../src/refunds/refund-verifier.service.js';
import type { Hex } from './anvil.js';
import { type Answer, CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './shop.js';

export type RefundDto = ReturnType<RefundPresenter['refund']>;

/** Where the customer wants the money: nobody's account, in the spelling of EIP-55. */
export const CUSTOMER = '0x52908400098527886E0F7030069857D2E4169EE7';
/** Accounts of the test chain that the gateway knows nothing about. */
const MERCHANT_ACCOUNT = 5;

/** A merchant who gives money back, through the front door. */
export class RefundsApi {
  constructor(
    readonly shop: Shop,
    readonly application: ShopApplication,
  ) {}

  post<T = RefundDto>(
    payment: { id: string },
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<Answer<T>> {
    return this.shop.call<T>(
      'POST',
      `/api/payment/${payment.id}/refunds${path}`,
      token ?? this.application.clientToken,
      body,
    );
  }

  get<T = RefundDto>(payment: { id: string }, path: string, token?: string): Promise<Answer<T>> {
    return this.shop.call<T>(
      'GET',
      `/api/payment/${payment.id}/refunds${path}`,
      token ?? this.application.clientToken,
    );
  }

  /** A refund that must come to be. */
  async create(payment: { id: string }, body: Record<string, unknown> = {}): Promise<RefundDto> {
    const answer = await this.post(payment, '', body);
    if (answer.status !== 201) throw new Error(`no refund: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }

  async read({ id, paymentId }: RefundDto): Promise<RefundDto> {
    return (await this.get({ id: paymentId }, `/${id}`)).body.data;
  }

  complete({ id, paymentId }: RefundDto, txHash: string): Promise<Answer<RefundDto>> {
    return this.post({ id: paymentId }, `/${id}/complete`, { txHash });
  }

  /** A payment that was paid and buried. @param share of the asked units */
  async paid(
    fields: Record<string, unknown> = {},
    method = 'eth',
    share: (asked: bigint) => bigint = (asked) => asked,
  ): Promise<CreatedPayment> {
    const payment = await this.shop.createPayment(this.application, fields);
    const instructions = await this.shop.instructions(payment, method);
    await this.shop.send(instructions, share(BigInt(instructions.amount.atomic)));
    await this.shop.mine(CONFIRMATIONS);
    return payment;
  }

  /** The merchant's own wallet pays, in the right asset unless told otherwise; unmined. */
  async payOut(
    refund: RefundDto,
    amount = BigInt(refund.payoutAmount.atomic),
    to = refund.address,
  ): Promise<Hex> {
    const { chain } = this.shop;
    const from = chain.account(MERCHANT_ACCOUNT);
    const { token } = refund;
    if (token === null) return chain.sendEth({ to: to as Hex, value: amount, from });
    await this.fundMerchant(token.contractAddress as Hex, amount);
    return chain.sendToken({ token: token.contractAddress as Hex, to: to as Hex, value: amount, from });
  }

  /** Lets the verifier look once more at everything that is under way. */
  async verify(): Promise<void> {
    this.shop.gateway.clock.advanceSeconds(CHECK_INTERVAL_SECONDS);
    while (await this.shop.gateway.get(RefundVerifier).runOnce()) continue;
    await this.shop.settle();
  }

  /** Buries what is in the mempool, and lets the verifier look. */
  async bury(blocks = CONFIRMATIONS): Promise<void> {
    await this.shop.mine(blocks);
    await this.verify();
  }

  /** A refund all the way: paid out, reported, verified. */
  async settleRefund(refund: RefundDto): Promise<RefundDto> {
    const hash = await this.payOut(refund);
    const answer = await this.complete(refund, hash);
    if (answer.status !== 200) throw new Error(`not completed: ${JSON.stringify(answer.body)}`);
    await this.bury();
    return this.read(refund);
  }

  private async fundMerchant(token: Hex, amount: bigint): Promise<void> {
    const { chain } = this.shop;
    const merchant = chain.account(MERCHANT_ACCOUNT);
    if ((await chain.tokenBalance(token, merchant)) >= amount) return;
    await chain.sendToken({ token, to: merchant, value: amount * 10n });
    await chain.mine();
  }
}
