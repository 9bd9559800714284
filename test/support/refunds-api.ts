import { RefundPresenter } from '../../src/refunds/refund-presenter.service.js';
import { CHECK_INTERVAL_SECONDS, RefundVerifier } from '../../src/refunds/refund-verifier.service.js';
import type { Hex } from './anvil.js';
import { type Answer, CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './shop.js';

export type RefundDto = ReturnType<RefundPresenter['refund']>;

/** The customer's address, which is no account of the test chain, in the spelling of EIP-55. */
export const CUSTOMER = '0x52908400098527886E0F7030069857D2E4169EE7';
/** Index of the test chain's account that pays refunds; the gateway does not know it. */
const MERCHANT_ACCOUNT = 5;

/** A merchant who refunds payments by the public API. */
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

  /** Creates a refund; throws if it is refused. */
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

  /** A payment that was paid and confirmed. @param share of the requested units */
  async paid(
    fields: Record<string, unknown> = {},
    method = 'eth',
    share: (requested: bigint) => bigint = (requested) => requested,
  ): Promise<CreatedPayment> {
    const payment = await this.shop.createPayment(this.application, fields);
    const instructions = await this.shop.instructions(payment, method);
    await this.shop.send(instructions, share(BigInt(instructions.amount.atomic)));
    await this.shop.mine(CONFIRMATIONS);
    return payment;
  }

  /** Pays from the merchant's own wallet, without mining. */
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

  /** Verifies all recorded transactions once more. */
  async verify(): Promise<void> {
    this.shop.gateway.clock.advanceSeconds(CHECK_INTERVAL_SECONDS);
    while (await this.shop.gateway.get(RefundVerifier).runOnce()) continue;
    await this.shop.settle();
  }

  /** Mines the mempool with confirmations, and verifies. */
  async confirm(blocks = CONFIRMATIONS): Promise<void> {
    await this.shop.mine(blocks);
    await this.verify();
  }

  /** Pays a refund, reports the transaction, and verifies it. */
  async settleRefund(refund: RefundDto): Promise<RefundDto> {
    const hash = await this.payOut(refund);
    const answer = await this.complete(refund, hash);
    if (answer.status !== 200) throw new Error(`not completed: ${JSON.stringify(answer.body)}`);
    await this.confirm();
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
