import { Injectable, Logger } from '@nestjs/common';
import { groupedBy } from '../chains/chain-auditor.pure.js';
import type { AddressFamily } from '../chains/chain.pure.js';
import type { ChainAddress } from '../chains/chain-family.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { failpoint } from '../platform/kernel/failpoints.js';
import { newId } from '../platform/kernel/ids.pure.js';
import { sqlState } from '../platform/database/database-errors.pure.js';
import { Sql } from '../platform/database/sql.js';
import { DefaultWallets } from './default-wallets.service.js';
import type { DepositAddressEntity } from './deposit-address.entity.js';
import { walletPathOf } from './account-path.pure.js';
import { DepositAddressRepository, type StoredAddress } from './deposit-address.repository.js';
import { AddressIntegrityError, WalletIntegrityError } from './integrity-errors.pure.js';
import { isAnyOfOperator, type KeyOwner, keyOwnerOf } from './key-owner.pure.js';
import { DEPOSIT_ADDRESS, type WalletIdentity } from './wallet-authentication.pure.js';
import type { Treasury } from './treasury/treasury-address.pure.js';
import { WalletAuthenticator } from './wallet-authenticator.service.js';
import { WalletChoices } from './wallet-choices.service.js';
import { WalletKeys, WalletNetworkError } from './wallet-keys.service.js';
import type { WalletEntity } from './wallet.entity.js';
import type { WalletAddresses } from './wallet-source.pure.js';
import {
  type ApplicationOfUser,
  type ServingWallet,
  type TakenIndex,
  WalletRepository,
} from './wallet.repository.js';

/** The address of one payment on every chain of a family (specification/wallets.md#deposit-addresses). */
export type DepositAddress = Omit<DepositAddressEntity, 'userId' | 'createdAt' | 'mac'> & {
  /** Of the extended public key that it is derived from (BIP32), or of the treasury. */
  keyFingerprint: string;
  /** Of the master key, where the origin of that key is known. */
  masterFingerprint: string | null;
  keyOwner: KeyOwner;
  /** The path of that key in a wallet: the usual one unless its origin is known. Null: there is no key. */
  accountPath: string | null;
  /** Null: there is a key. */
  treasury: Treasury | null;
};

/** Where the key of an address comes from. */
type KeyOrigin = Pick<
  DepositAddress,
  'keyFingerprint' | 'masterFingerprint' | 'keyOwner' | 'accountPath' | 'treasury'
>;

/** A deposit address found by its key. */
export type DepositMatch = Pick<DepositAddressEntity, 'id' | 'paymentId' | 'userId' | 'key' | 'walletId'>;

/** A deposit address, as it is compared with the chains. */
export type RecordedDepositAddress = Pick<
  DepositAddressEntity,
  'id' | 'paymentId' | 'family' | 'key' | 'address' | 'createdAt'
>;

/** A deposit address and where its key is in a wallet, or its index of a treasury; both null: it can no longer be read. */
export type AddressPlace = Pick<DepositAddressEntity, 'id' | 'paymentId' | 'address'> & {
  walletPath: string | null;
  treasuryIndex: number | null;
};

/** A deposit address with the place of its key, for whoever spends from it. */
export type KeyPlace = Pick<DepositAddress, 'id' | 'walletId' | 'derivationIndex' | 'key' | 'address'> &
  KeyOrigin & {
    /** Compressed; null: the address is of a treasury. */
    publicKey: Uint8Array | null;
  };

/** An address that is not as it was written, and what it should be, in words. */
export interface AuditedAddress extends Pick<DepositAddressEntity, 'paymentId' | 'family' | 'address'> {
  expected: string;
}

/** A wallet whose counter was advanced. */
export type SkippedWallet = Pick<WalletEntity, 'id' | 'family' | 'nextIndex'>;

export interface AllocationInput extends ApplicationOfUser {
  paymentId: string;
  family: AddressFamily;
  /** No address was shown yet, so that one is taken at once: where there is one all the same, taking another fails. */
  isFirst?: boolean;
}

/** Neither the application nor its user has a key for the family on its network, and no key of the operator serves it. */
export class WalletNotConfiguredError extends ValidationError {
  constructor(family: AddressFamily) {
    super({ method: [`No ${family} wallet is configured for this payment application.`] });
  }
}

/** The payment was given its address by another call; the transaction is rolled back, and with it the index. */
class AlreadyAllocatedError extends Error {}

const UNIQUE_VIOLATION = '23505';
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
    private readonly choices: WalletChoices,
    private readonly rows: WalletAuthenticator,
    private readonly keys: WalletKeys,
    private readonly defaults: DefaultWallets,
  ) {}

  /**
   * Returns the payment's address of the family, which is created by the first call.
   * @throws WalletNotConfiguredError; AddressIntegrityError
   */
  async allocate(input: AllocationInput): Promise<DepositAddress> {
    const { paymentId, family } = input;
    try {
      const existing = input.isFirst ? null : await this.find(paymentId, family);
      return existing ?? (await this.sql.transaction(() => this.allocateNext(input)));
    } catch (error) {
      if (error instanceof WalletIntegrityError) throw new AddressIntegrityError(error.reason);
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
   * Checks the MAC and derives the address again from its wallet's key, so that a changed row in the database does not
   * redirect funds (specification/wallets.md#integrity).
   * @throws AddressIntegrityError; WalletNetworkError
   */
  async find(paymentId: string, family: AddressFamily): Promise<DepositAddress | null> {
    return (await this.findAmongAll(paymentId, family)).address;
  }

  /** As {@link find}, and whether any address of the payment is of a key of the operator. */
  async findAmongAll(
    paymentId: string,
    family: AddressFamily,
  ): Promise<{ address: DepositAddress | null; isAnyOfOperator: boolean }> {
    const all = await this.addresses.listStored([paymentId]);
    const stored = all.find((one) => one.family === family);
    return { address: stored ? this.open(stored) : null, isAnyOfOperator: isAnyOfOperator(all) };
  }

  private open(stored: StoredAddress): DepositAddress {
    const chain = this.chainOf(stored);
    this.requireDerived(stored, chain.derive(stored.derivationIndex));
    const { id, paymentId, family, key, address, walletId, derivationIndex } = stored;
    const place = { id, paymentId, family, key, address, walletId, derivationIndex };
    return { ...place, ...originOf(stored.wallet, chain) };
  }

  /**
   * Checks all addresses of some payments as {@link find} does, many at once. Returns those that are not as the gateway
   * wrote them, or whose key can no longer be read.
   */
  async audit(paymentIds: readonly string[]): Promise<AuditedAddress[]> {
    const byWallet = groupedBy(await this.addresses.listStored(paymentIds), ({ walletId }) => walletId);
    return [...byWallet.values()].flatMap((group) => this.auditWallet(group));
  }

  /**
   * Finds which of the keys are deposit addresses, in one statement. Rows that are not as they were written are left
   * out: what is paid to them is credited to no payment (decisions/0023-authenticate-where-money-goes.md).
   */
  async match(family: AddressFamily, keys: readonly Buffer[]): Promise<DepositMatch[]> {
    const found = keys.length === 0 ? [] : await this.addresses.findByKeys(family, keys);
    return found.flatMap((row) => {
      const { id, paymentId, userId, key, walletId } = row;
      if (this.rows.isAuthentic(DEPOSIT_ADDRESS, row)) return [{ id, paymentId, userId, key, walletId }];
      const details = { depositAddressId: id, paymentId, address: row.address };
      this.rows.report('deposit-address', details, 'not credited: address integrity');
      return [];
    });
  }

  /** The addresses of some payments as they are stored, by payment and family. */
  listOfPayments(paymentIds: readonly string[]): Promise<RecordedDepositAddress[]> {
    return this.addresses.listOfPayments(paymentIds);
  }

  /** The addresses of some payments as they are stored, each with its place. */
  async listPlaces(paymentIds: readonly string[]): Promise<AddressPlace[]> {
    const stored = paymentIds.length === 0 ? [] : await this.addresses.listStored(paymentIds);
    return stored.map((one) => {
      const { accountPath = null, treasury = null } = this.findChain([one]) ?? {};
      return {
        ...one,
        walletPath: accountPath === null ? null : walletPathOf(accountPath, one.derivationIndex),
        treasuryIndex: treasury === null ? null : one.derivationIndex,
      };
    });
  }

  /**
   * Where the keys of some addresses are, by the addresses' ids, each address derived again; without those that are not
   * as the gateway wrote them, or whose key can no longer be read.
   */
  async locateKeys(ids: readonly string[]): Promise<Map<string, KeyPlace>> {
    const stored = ids.length === 0 ? [] : await this.addresses.listByIds(ids);
    const located = new Map<string, KeyPlace>();
    for (const group of groupedBy(stored, ({ walletId }) => walletId).values())
      for (const place of this.locateInWallet(group)) located.set(place.id, place);
    return located;
  }

  /** The account of a wallet's key that pays fees of its addresses; null: it cannot be read, or there is no key. */
  async findFeeAccount(walletId: string): Promise<ChainAddress | null> {
    const wallet = await this.wallets.findById(walletId);
    return (wallet && this.findChain([{ wallet }])?.feeAccount) ?? null;
  }

  /** @param group of one wallet */
  private locateInWallet(group: readonly StoredAddress[]): KeyPlace[] {
    const chain = this.findChain(group);
    const derived = chain?.deriveEach(group.map(({ derivationIndex }) => derivationIndex)) ?? [];
    return group.flatMap((stored, i) => {
      const found = derived[i];
      if (!chain || !found || !this.isDerived(stored, found)) return [];
      const { id, walletId, derivationIndex, key, address } = stored;
      const { publicKey } = found;
      return [{ id, walletId, derivationIndex, key, address, publicKey, ...originOf(stored.wallet, chain) }];
    });
  }

  /** Null: the key of a wallet's addresses cannot be read. */
  private findChain([first]: readonly Pick<StoredAddress, 'wallet'>[]): WalletAddresses | null {
    try {
      return first ? this.keys.chain(first.wallet) : null;
    } catch (error) {
      if (error instanceof WalletIntegrityError || error instanceof WalletNetworkError) return null;
      throw error;
    }
  }

  /** Whether a payment has an address of the family. */
  hasAny(family: AddressFamily): Promise<boolean> {
    return this.addresses.hasAny(family);
  }

  /** When the first address of the family was handed out; null: none was. */
  findOldest(family: AddressFamily): Promise<Date | null> {
    return this.addresses.findOldest(family);
  }

  /** The keys of all addresses of a family, oldest first. */
  listKeys(family: AddressFamily): Promise<Buffer[]> {
    return this.addresses.listKeys(family);
  }

  /** Whether {@link allocate} would find a wallet. */
  async hasWallet(owner: ApplicationOfUser, family: AddressFamily): Promise<boolean> {
    return (
      (await this.defaults.findIdFor(owner.userId, family)) !== null ||
      (await this.choices.hasWallet(owner, family))
    );
  }

  /** Advances the counters of all wallets past addresses that a restored database may have lost. */
  skipIndexes(count: number): Promise<SkippedWallet[]> {
    return this.wallets.skipIndexes(count);
  }

  /** Counter and address are written in one transaction, so that no index is lost. */
  private async allocateNext(input: AllocationInput): Promise<DepositAddress> {
    const { paymentId, userId, family } = input;
    const { origin, derived } = await this.deriveNext(input);
    failpoint('address.index-taken');
    const createdAt = this.clock.now();
    const allocated = { id: newId(createdAt), paymentId, family, ...derived };
    const mac = this.rows.mac(DEPOSIT_ADDRESS, { ...allocated, userId });
    if (!(await this.insert({ ...allocated, userId, createdAt, mac }))) throw new AlreadyAllocatedError();
    return { ...allocated, ...origin };
  }

  /** False: the payment has an address of the family already. @throws WalletIntegrityError */
  private async insert(address: DepositAddressEntity): Promise<boolean> {
    try {
      return await this.addresses.insert(address);
    } catch (error) {
      // Each index is taken once, so the counter was moved back. Postgres refuses to store an address twice.
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
      const { walletId, derivationIndex } = address;
      throw this.rows.refusal(
        'wallet',
        `index ${derivationIndex} of wallet ${walletId} was handed out before`,
      );
    }
  }

  private async deriveNext(input: AllocationInput): Promise<{
    derived: ChainAddress & Pick<DepositAddress, 'walletId' | 'derivationIndex'>;
    origin: KeyOrigin;
  }> {
    for (;;) {
      const { wallet, derivationIndex } = await this.takeIndex(input);
      const chain = this.keys.chain(wallet);
      const derived = chain.derive(derivationIndex);
      // BIP32: an index without a valid key is skipped.
      if (derived)
        return {
          derived: { ...derived, walletId: wallet.id, derivationIndex },
          origin: originOf(wallet, chain),
        };
    }
  }

  /** @throws WalletNotConfiguredError; WalletIntegrityError */
  private async takeIndex(input: AllocationInput): Promise<TakenIndex> {
    const { family } = input;
    const operatorWalletId = await this.defaults.findIdFor(input.userId, family);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const taken = await this.wallets.takeIndex({ ...input, operatorWalletId });
      const servingId = (await this.choices.serving(input, family, taken?.choices)) ?? operatorWalletId;
      if (servingId === null) break;
      this.requireServing(servingId, taken?.wallet ?? (await this.wallets.findById(servingId)));
      if (taken) return taken;
      // The wallet was replaced while the statement waited for its row: a new statement sees the new one.
    }
    throw new WalletNotConfiguredError(family);
  }

  /** @throws WalletIntegrityError */
  private requireServing(servingId: string, wallet: ServingWallet | null): void {
    if (wallet?.id !== servingId) throw this.rows.refusal('wallet', `wallet ${servingId} is missing`);
    this.rows.requireWallet(wallet);
  }

  /** @param group of one wallet */
  private auditWallet(group: readonly StoredAddress[]): AuditedAddress[] {
    const indexes = group.map(({ derivationIndex }) => derivationIndex);
    let derived: readonly (ChainAddress | null)[] | null = null;
    return group.flatMap((stored, i) => {
      try {
        derived ??= this.chainOf(stored).deriveEach(indexes);
        this.requireDerived(stored, derived[i] ?? null);
        return [];
      } catch (error) {
        const { paymentId, family, address } = stored;
        // A key of another network proves nothing about its addresses.
        if (error instanceof WalletNetworkError)
          return [{ paymentId, family, address, expected: "a wallet's key that can be read" }];
        if (error instanceof AddressIntegrityError)
          return [{ paymentId, family, address, expected: error.expected }];
        throw error;
      }
    });
  }

  /** @throws AddressIntegrityError */
  private requireDerived(stored: StoredAddress, derived: ChainAddress | null): void {
    if (this.isDerived(stored, derived)) return;
    throw this.refuse(stored, new AddressIntegrityError(`deposit address ${stored.id} is not of its wallet`));
  }

  private isDerived(stored: StoredAddress, derived: ChainAddress | null): boolean {
    const isSame = derived?.address === stored.address && derived.key.equals(stored.key);
    return stored.isOfOwner && isSame && this.rows.isAuthentic(DEPOSIT_ADDRESS, stored);
  }

  /** @throws AddressIntegrityError; WalletNetworkError */
  private chainOf(stored: StoredAddress): WalletAddresses {
    try {
      return this.keys.chain(stored.wallet);
    } catch (error) {
      if (!(error instanceof WalletIntegrityError)) throw error;
      throw this.refuse(stored, new AddressIntegrityError(error.reason, "a wallet's key that can be read"));
    }
  }

  private refuse(
    { id, paymentId, walletId }: StoredAddress,
    error: AddressIntegrityError,
  ): AddressIntegrityError {
    const details = { depositAddressId: id, paymentId, walletId, error: error.message };
    this.rows.report('deposit-address', details, 'address integrity');
    return error;
  }
}

function originOf(
  wallet: WalletIdentity,
  { fingerprint, masterFingerprint, accountPath, treasury }: WalletAddresses,
): KeyOrigin {
  const keyOwner = keyOwnerOf(wallet);
  return { keyFingerprint: fingerprint, masterFingerprint, keyOwner, accountPath, treasury };
}
