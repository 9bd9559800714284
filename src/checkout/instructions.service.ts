import { Injectable, Logger } from '@nestjs/common';
import { minTransferAmount } from '../chains/dust-limit.pure.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import { PaymentsService } from '../payments/payments.service.js';
import { QuotesService } from '../payments/quotes/quotes.service.js';
import { ConflictError } from '../platform/kernel/errors/errors.pure.js';
import {
  type DepositAddress,
  DepositAddressesService,
  WalletNotConfiguredError,
} from '../wallets/deposit-addresses.service.js';
import { AddressIntegrityError } from '../wallets/integrity-errors.pure.js';
import { WalletNetworkError } from '../wallets/wallet-keys.service.js';
import { derivationOf } from './payment-addresses.service.js';
import { InstructionsPresenter } from './instructions-presenter.service.js';
import type { MethodName } from './method-choice.pure.js';
import { methodUnavailable, type Reader } from './method-errors.pure.js';
import { MethodSelection } from './method-selection.service.js';
import type {
  MerchantPaymentInstructionsContract,
  PaymentInstructionsContract,
} from './payment-instructions.contract.js';
import { type PaymentMethod, toQuotedAsset } from './payment-method.pure.js';

interface Prepared {
  instructions: PaymentInstructionsContract;
  address: DepositAddress;
}

/** Instructions that were requested before. */
export interface FoundInstructions {
  instructions: PaymentInstructionsContract;
  /** Whether an address of the payment, of whatever method, is of a key of the operator. */
  isAnyOfOperator: boolean;
}

/** Payment instructions of one method: address, amount and deadline (specification/checkout.md#instructions). */
@Injectable()
export class InstructionsService {
  private readonly logger = new Logger('InstructionsService');

  constructor(
    private readonly selection: MethodSelection,
    private readonly depositAddresses: DepositAddressesService,
    private readonly quotes: QuotesService,
    private readonly payments: PaymentsService,
    private readonly presenter: InstructionsPresenter,
  ) {}

  /**
   * The instructions of one method. Derives the address and locks the rate on the first call; later calls
   * return the same until the lock ends, then a new rate at the same address.
   */
  async get(before: PaymentAggregate, wanted: MethodName): Promise<PaymentInstructionsContract> {
    return (await this.prepare(before, wanted, 'customer')).instructions;
  }

  /** The same, with what the merchant needs to recognize the address as one of their own key. */
  async getForMerchant(
    before: PaymentAggregate,
    wanted: MethodName,
  ): Promise<MerchantPaymentInstructionsContract> {
    const { instructions, address } = await this.prepare(before, wanted, 'merchant');
    return Object.assign(instructions, { derivation: derivationOf(address) });
  }

  /**
   * The instructions of a method, as they were last requested; null: none were. Nothing is allotted and no rate is locked,
   * so the price may have ended.
   * @param shown the method that a page shows already; null, or one that has no instructions: the selected one
   * @throws ConflictError if the payment failed because the address is not of its wallet
   */
  async find(state: PaymentAggregate, shown: MethodName | null): Promise<FoundInstructions | null> {
    const quoteOf = (of: PaymentMethod | null) => of && this.quotes.findNewest(state, toQuotedAsset(of));
    const { payment } = state;
    const kept = shown && (await this.selection.findAllowed(payment, shown));
    const isKept = quoteOf(kept) !== null;
    const method = isKept ? kept : await this.selection.findSelected(payment);
    const quote = quoteOf(method);
    if (!method || !quote) return null;
    const found = await this.orFail(state, () => this.findAddress(state, method));
    if (!found?.address) return null;
    const instructions = await this.presenter.describe({ state, quote }, method, found.address.address);
    return { instructions, isAnyOfOperator: found.isAnyOfOperator };
  }

  /** Null also if its wallet is of another network, and must not be shown. */
  private async findAddress({ payment }: PaymentAggregate, { chain }: PaymentMethod) {
    try {
      return await this.depositAddresses.findAmongAll(payment.id, chain.family);
    } catch (error) {
      if (error instanceof WalletNetworkError) return null;
      throw error;
    }
  }

  private async prepare(before: PaymentAggregate, wanted: MethodName, reader: Reader): Promise<Prepared> {
    const method = await this.selection.select(before, wanted, reader);
    const address = await this.addressOf(before, method, reader);
    const least = minTransferAmount(method.chain, method.asset);
    const locked = await this.quotes.lock(before, toQuotedAsset(method), least);
    if (typeof locked === 'string') throw methodUnavailable(locked, method, before.payment, reader);
    return { instructions: await this.presenter.describe(locked, method, address.address), address };
  }

  private async addressOf(
    state: PaymentAggregate,
    method: PaymentMethod,
    reader: Reader,
  ): Promise<DepositAddress> {
    const { payment } = state;
    try {
      return await this.orFail(state, () =>
        this.depositAddresses.allocate({
          paymentId: payment.id,
          userId: payment.userId,
          applicationId: payment.applicationId,
          family: method.chain.family,
          isFirst: state.quotes.length === 0,
        }),
      );
    } catch (error) {
      if (error instanceof WalletNotConfiguredError)
        throw methodUnavailable('wallet_not_configured', method, payment, reader);
      throw error;
    }
  }

  /** An address that its wallet does not derive must never be shown (specification/payment-states.md#transitions). */
  private async orFail<T>({ payment }: PaymentAggregate, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AddressIntegrityError)) throw error;
      // A permanent failure.
      this.logger.error({ paymentId: payment.id, error: error.message }, 'address integrity');
      await this.payments.fail(payment.id, 'address_integrity');
      throw new ConflictError('payment_not_payable', 'This payment can no longer be paid');
    }
  }
}
