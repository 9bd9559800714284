import { Injectable, Logger } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import type { ChainAddress } from '../chains/chain-family.pure.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { ValidationError } from '../platform/errors/errors.pure.js';
import { failpoint } from '../platform/runtime/failpoints.js';
import { newId } from '../platform/runtime/ids.pure.js';
import { Sql } from '../platform/database/sql.js';
import { DefaultWallets } from './default-wallets.service.js';
import type { DepositAddressEntity } from './deposit-address.entity.js';
import { DepositAddressRepository, type DepositMatch } from './deposit-address.repository.js';
import { WalletKeys, WalletNetworkError } from './wallet-keys.service.js';
import type { WalletEntity } from './wallet.entity.js';
import { type ApplicationOfUser, type TakenIndex, WalletRepository } from './wallet.repository.js';

export type { DepositMatch } from './deposit-address.repository.js';

/** The address of one payment on every chain of a family (specification/wallets.md#deposit-addresses). */
export type DepositAddress = Omit<DepositAddressEntity, 'userId' | 'createdAt'> & {
  /** Of the extended public key that it is derived from (BIP32). */
  keyFingerprint: string;
};

/** A deposit address, as it is compared with the chains. */
export type RecordedDepositAddress = Pick<
  DepositAddressEntity,
  'id' | 'paymentId' | 'family' | 'key' | 'address' | 'createdAt'
>;

/** A wallet whose counter was advanced. */
export type SkippedWallet = Pick<WalletEntity, 'id' | 'family' | 'nextIndex'>;

export interface AllocationInput extends ApplicationOfUser {
  paymentId: string;
  family: AddressFamily;
}

/** Neither the application, nor its user, nor the operator has a key for the family on its network. */
export class WalletNotConfiguredError extends ValidationError {
  constructor(family: AddressFamily) {
    super({ method: [`No ${family} wallet is configured for this payment application.`] });
  }
}

/** A stored address differs from the one that its wallet's key derives: it must not be shown. */
export class AddressIntegrityError extends Error {}

/** The payment was given its address by another call; the transaction is rolled back, and with it the index. */
class AlreadyAllocatedError extends Error {}

/** Attempts to take an index while the wallet is being replaced. */
const MAX_ATTEMPTS = 20;

/** The registry of deposit addresses: hands them out without gaps or re-use, and finds them by their keys. */
@Injectable()
export class DepositAddressesService {
  private readonly logger = new Logger('DepositAddresses');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly addresses: DepositAddressRepository,
    private readonly wallets: WalletRepository,
    private readonly keys: WalletKeys,
    private readonly defaults: DefaultWallets,
  ) {}

  /**
   * Returns the payment's address of the family, which is created by the first call.
   * @throws WalletNotConfiguredError
   */
  async allocate(input: AllocationInput): Promise<DepositAddress> {
    const { paymentId, family } = input;
    try {
      const existing = await this.find(paymentId, family);
      return existing ?? (await this.sql.transaction(() => this.allocateNext(input)));
    } catch (error) {
      if (error instanceof WalletNetworkError) {
        this.logger.error({ paymentId, error: error.message }, 'wallet of another network');
        throw new WalletNotConfiguredError(family);
      }
      if (!(error instanceof AlreadyAllocatedError)) throw error;
    }
    const existing = await this.find(paymentId, family);
    if (!existing) throw new Error(`payment ${paymentId} has no deposit address after a conflict`);
    return existing;
  }

  /**
   * Derives the address again from its wallet's key, so that a changed row in the database does not redirect funds.
   * @throws AddressIntegrityError
   */
  async find(paymentId: string, family: AddressFamily): Promise<DepositAddress | null> {
    const stored = await this.addresses.find(paymentId, family);
    if (!stored) return null;
    const { id, key, address, walletId, derivationIndex, sealedKey, isOfOwner } = stored;
    const chain = this.keys.chain({ id: walletId, family, sealedKey });
    const derived = chain.derive(derivationIndex);
    if (!isOfOwner || derived?.address !== address || !derived.key.equals(key)) {
      this.logger.error({ depositAddressId: id, paymentId, walletId }, 'address integrity');
      throw new AddressIntegrityError(`deposit address ${id} is not of its wallet`);
    }
    const { fingerprint: keyFingerprint } = chain;
    return { id, paymentId, family, key, address, walletId, derivationIndex, keyFingerprint };
  }

  /** Finds which of the keys are deposit addresses, in one statement. */
  async match(family: AddressFamily, keys: readonly Buffer[]): Promise<DepositMatch[]> {
    return keys.length === 0 ? [] : this.addresses.findByKeys(family, keys);
  }

  /** The addresses of some payments as they are stored, by payment and family. */
  listOfPayments(paymentIds: readonly string[]): Promise<RecordedDepositAddress[]> {
    return this.addresses.listOfPayments(paymentIds);
  }

  /** The keys of all addresses of a family, oldest first. */
  listKeys(family: AddressFamily): Promise<Buffer[]> {
    return this.addresses.listKeys(family);
  }

  /** Whether {@link allocate} would find a wallet. */
  async hasWallet(owner: ApplicationOfUser, family: AddressFamily): Promise<boolean> {
    return this.defaults.findId(family) !== null || this.wallets.hasActive(owner, family);
  }

  /** Advances the counters of all wallets past addresses that a restored database may have lost. */
  skipIndexes(count: number): Promise<SkippedWallet[]> {
    return this.wallets.skipIndexes(count);
  }

  /** Counter and address are written in one transaction, so that no index is lost. */
  private async allocateNext(input: AllocationInput): Promise<DepositAddress> {
    const { paymentId, userId, family } = input;
    const { keyFingerprint, ...derived } = await this.deriveNext(input);
    failpoint('address.index-taken');
    const createdAt = this.clock.now();
    const allocated = { id: newId(createdAt), paymentId, family, ...derived };
    if (!(await this.addresses.insert({ ...allocated, userId, createdAt })))
      throw new AlreadyAllocatedError();
    return { ...allocated, keyFingerprint };
  }

  private async deriveNext(
    input: AllocationInput,
  ): Promise<ChainAddress & Pick<DepositAddress, 'walletId' | 'derivationIndex' | 'keyFingerprint'>> {
    for (;;) {
      const { id: walletId, sealedKey, derivationIndex } = await this.takeIndex(input);
      const chain = this.keys.chain({ id: walletId, sealedKey, family: input.family });
      const derived = chain.derive(derivationIndex);
      // BIP32: an index without a valid key is skipped.
      if (derived) return { ...derived, walletId, derivationIndex, keyFingerprint: chain.fingerprint };
    }
  }

  private async takeIndex({ applicationId, userId, family }: AllocationInput): Promise<TakenIndex> {
    const owner = { applicationId, userId };
    const operatorWalletId = this.defaults.findId(family);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const taken = await this.wallets.takeIndex({ ...owner, family, operatorWalletId });
      if (taken) return taken;
      // The wallet may have been replaced while the statement waited for its row: a new statement sees the new one.
      if (!(await this.hasWallet(owner, family))) break;
    }
    throw new WalletNotConfiguredError(family);
  }
}
