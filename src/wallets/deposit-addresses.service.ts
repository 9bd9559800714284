import { Injectable, Logger } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { ValidationError } from '../platform/errors/errors.pure.js';
import { failpoint } from '../platform/runtime/failpoints.js';
import { newId } from '../platform/runtime/ids.pure.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import type { ChainAddress } from '../chains/chain-family.pure.js';
import { DefaultWallets } from './default-wallets.service.js';
import { WalletKeys, WalletNetworkError } from './wallet-keys.service.js';

/**
 * The address of one payment on every chain of a family; never reused, watched permanently
 * (specification/wallets.md#deposit-addresses).
 */
export interface DepositAddress {
  id: string;
  paymentId: string;
  family: AddressFamily;
  /** What blocks are matched on: the 20 address bytes on EVM chains and Tron, the output script on UTXO chains. */
  key: Buffer;
  /** What people see. */
  address: string;
  walletId: string;
  derivationIndex: number;
}

/** A key of a block that belongs to a payment. */
export interface DepositMatch {
  id: string;
  paymentId: string;
  userId: string;
  key: Buffer;
}

export interface AllocationInput {
  paymentId: string;
  userId: string;
  applicationId: string;
  family: AddressFamily;
}

/** Neither the application, nor its user, nor the operator has a key for the family on its network. */
export class WalletNotConfiguredError extends ValidationError {
  constructor(family: AddressFamily) {
    super({ method: [`No ${family} wallet is configured for this payment application.`] });
  }
}

/** A stored address is not what its wallet's key derives: it must never be shown (a changed row, a wrong key). */
export class AddressIntegrityError extends Error {}

/** Another call gave this payment its address first; the index goes back. */
class AlreadyAllocatedError extends Error {}

interface StoredRow {
  id: string;
  paymentId: string;
  family: AddressFamily;
  key: Buffer;
  address: string;
  walletId: string;
  derivationIndex: string;
  sealedKey: string;
  isOfOwner: boolean;
}

interface CounterRow {
  id: string;
  sealedKey: string;
  index: string;
}

/** An application's own wallet; else its user's default; else the operator's, by id. A retired one gives nothing. */
const TAKE_INDEX = `
  update wallets set next_index = next_index + 1
  where id = coalesce(
      (select id from wallets where application_id = $1 and family = $2 and retired_at is null),
      (select id from wallets
        where application_id is null and user_id = $4 and family = $2 and retired_at is null),
      $3::uuid)
    and (user_id is null or retired_at is null)
  returning id, sealed_extended_public_key as "sealedKey", next_index - 1 as index`;

/** Replacements of its key in a row that one allocation sits out. */
const MAX_LOOKS = 20;

/** The registry of deposit addresses: hands them out without gaps or re-use, and finds them again in blocks. */
@Injectable()
export class DepositAddressesService {
  private readonly logger = new Logger('DepositAddresses');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly keys: WalletKeys,
    private readonly defaults: DefaultWallets,
  ) {}

  /**
   * The payment's address of the family, made at the first call.
   * @throws WalletNotConfiguredError
   */
  async allocate(input: AllocationInput): Promise<DepositAddress> {
    try {
      const existing = await this.find(input.paymentId, input.family);
      return existing ?? (await this.sql.transaction((tx) => this.allocateNext(tx, input)));
    } catch (error) {
      if (error instanceof WalletNetworkError) {
        this.logger.error({ paymentId: input.paymentId, error: error.message }, 'wallet of another network');
        throw new WalletNotConfiguredError(input.family);
      }
      if (!(error instanceof AlreadyAllocatedError)) throw error;
    }
    const winner = await this.find(input.paymentId, input.family);
    if (!winner) throw new Error(`payment ${input.paymentId} lost its deposit address`);
    return winner;
  }

  /** Checked against the wallet's key: a changed row in the database must not send a customer's money elsewhere. */
  async find(paymentId: string, family: AddressFamily): Promise<DepositAddress | null> {
    const [row] = await this.sql.query<StoredRow>(
      `select d.id, d.payment_id as "paymentId", d.family, d.key, d.address, d.wallet_id as "walletId",
         d.derivation_index as "derivationIndex", w.sealed_extended_public_key as "sealedKey",
         (w.user_id is null or w.user_id = d.user_id) and w.family = d.family as "isOfOwner"
       from deposit_addresses d join wallets w on w.id = d.wallet_id
       where d.payment_id = $1 and d.family = $2`,
      [paymentId, family],
    );
    if (!row) return null;
    const { id, key, address, walletId } = row;
    const derivationIndex = Number(row.derivationIndex);
    const wallet = { id: walletId, family, sealedKey: row.sealedKey };
    const derived = this.keys.chain(wallet).derive(derivationIndex);
    if (!row.isOfOwner || derived?.address !== address || !derived.key.equals(key)) {
      this.logger.error({ depositAddressId: id, paymentId, walletId }, 'address integrity');
      throw new AddressIntegrityError(`deposit address ${id} is not of its wallet`);
    }
    return { id, paymentId, family, key, address, walletId, derivationIndex };
  }

  /** Which of a block's keys are deposit addresses; one lookup however many there are. */
  async match(queryable: Queryable, family: AddressFamily, keys: readonly Buffer[]): Promise<DepositMatch[]> {
    if (keys.length === 0) return [];
    return queryable.query<DepositMatch>(
      `select id, payment_id as "paymentId", user_id as "userId", key
       from deposit_addresses where family = $1 and key = any($2::bytea[])`,
      [family, keys],
    );
  }

  /** Whether {@link allocate} would find a key. */
  async hasWallet(
    applicationId: string,
    family: AddressFamily,
    queryable: Queryable = this.sql,
  ): Promise<boolean> {
    if (this.defaults.findId(family) !== null) return true;
    const [own] = await queryable.query(
      `select w.id from wallets w join payment_applications a on a.user_id = w.user_id
       where a.id = $1 and (w.application_id = a.id or w.application_id is null)
         and w.family = $2 and w.retired_at is null limit 1`,
      [applicationId, family],
    );
    return own !== undefined;
  }

  /** Counter and address move together or not at all, so that no index is burnt. */
  private async allocateNext(tx: Queryable, input: AllocationInput): Promise<DepositAddress> {
    const { paymentId, userId, family } = input;
    const { walletId, derivationIndex, key, address } = await this.deriveNext(tx, input);
    failpoint('address.index-taken');
    const now = this.clock.now();
    const id = newId(now);
    const inserted = await tx.query(
      `insert into deposit_addresses
         (id, payment_id, user_id, family, key, address, wallet_id, derivation_index, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (payment_id, family) do nothing returning id`,
      [id, paymentId, userId, family, key, address, walletId, derivationIndex, now],
    );
    if (inserted.length === 0) throw new AlreadyAllocatedError();
    return { id, paymentId, family, key, address, walletId, derivationIndex };
  }

  private async deriveNext(
    tx: Queryable,
    owner: AllocationInput,
  ): Promise<ChainAddress & { walletId: string; derivationIndex: number }> {
    for (;;) {
      const wallet = await this.takeIndex(tx, owner);
      const derivationIndex = Number(wallet.index);
      const derived = this.keys.chain({ ...wallet, family: owner.family }).derive(derivationIndex);
      // BIP32: an index without a valid key is passed over.
      if (derived) return { ...derived, walletId: wallet.id, derivationIndex };
    }
  }

  private async takeIndex(
    tx: Queryable,
    { applicationId, userId, family }: AllocationInput,
  ): Promise<CounterRow> {
    const values = [applicationId, family, this.defaults.findId(family), userId];
    for (let look = 0; look < MAX_LOOKS; look++) {
      const [wallet] = await tx.query<CounterRow>(TAKE_INDEX, values);
      if (wallet) return wallet;
      // While we waited for the row, its key may have been replaced by another: again with fresh eyes.
      if (!(await this.hasWallet(applicationId, family, tx))) break;
    }
    throw new WalletNotConfiguredError(family);
  }
}
