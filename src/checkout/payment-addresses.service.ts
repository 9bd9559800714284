import { Injectable, Logger } from '@nestjs/common';
import { ConflictError } from '../platform/kernel/errors/errors.pure.js';
import { addressPath, walletPathOf } from '../wallets/account-path.pure.js';
import {
  type DepositAddress,
  DepositAddressesService,
  type KeyPlace,
} from '../wallets/deposit-addresses.service.js';
import { AddressIntegrityError } from '../wallets/integrity-errors.pure.js';
import { WalletNetworkError } from '../wallets/wallet-keys.service.js';
import { InstructionSigner } from './instruction-signer.service.js';
import type { DepositAddressContract, DerivationContract } from './payment-instructions.contract.js';

/** The addresses that customers of a payment were shown (specification/instructions.md#deposit-addresses). */
@Injectable()
export class PaymentAddresses {
  private readonly logger = new Logger('PaymentAddresses');

  constructor(
    private readonly addresses: DepositAddressesService,
    private readonly signer: InstructionSigner,
  ) {}

  /** By family. @throws ConflictError when one of them is not the address that its wallet derives */
  async list(paymentId: string): Promise<DepositAddressContract[]> {
    const recorded = await this.addresses.listOfPayments([paymentId]);
    try {
      const found = await Promise.all(recorded.map(({ family }) => this.addresses.find(paymentId, family)));
      return found.filter((address) => address !== null).map((address) => this.present(address));
    } catch (error) {
      if (!(error instanceof AddressIntegrityError) && !(error instanceof WalletNetworkError)) throw error;
      this.logger.error({ paymentId, error: error.message }, 'address integrity');
      throw new ConflictError('payment_not_payable', 'An address of this payment is not of its wallet');
    }
  }

  private present(deposit: DepositAddress): DepositAddressContract {
    const { paymentId, family, address } = deposit;
    return {
      paymentId,
      family,
      address,
      derivation: derivationOf(deposit),
      signatures: this.signer.signDepositAddress({ paymentId, family, address }),
    };
  }
}

export function derivationOf(deposit: Omit<KeyPlace, 'publicKey'>): DerivationContract {
  const { keyFingerprint, masterFingerprint, keyOwner, accountPath, treasury } = deposit;
  const { derivationIndex: index } = deposit;
  const place =
    accountPath === null
      ? { path: null, walletPath: null }
      : { path: addressPath(index), walletPath: walletPathOf(accountPath, index) };
  const kind = treasury ? 'treasury' : 'key';
  return { kind, treasury, keyFingerprint, masterFingerprint, keyOwner, index, ...place };
}
