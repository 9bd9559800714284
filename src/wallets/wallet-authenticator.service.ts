import { Injectable, Logger } from '@nestjs/common';
import { tableOf } from '../platform/database/entity-table.js';
import { Meters } from '../platform/kernel/meters.js';
import { Keyring } from '../platform/kernel/keyring.js';
import { DepositAddressEntity } from './deposit-address.entity.js';
import { WalletIntegrityError } from './integrity-errors.pure.js';
import {
  type AuthenticatedRow,
  type AuthenticWallet,
  type RowAuthentication,
  WALLET,
} from './wallet-authentication.pure.js';
import { WalletChangeEntity } from './wallet-change.entity.js';
import { WalletChoiceEntity } from './wallet-choice.entity.js';
import { WalletEntity } from './wallet.entity.js';

const TABLES: Readonly<Record<AuthenticatedRow, string>> = {
  wallet: tableOf(WalletEntity).name,
  'wallet-choice': tableOf(WalletChoiceEntity).name,
  'wallet-change': tableOf(WalletChangeEntity).name,
  'deposit-address': tableOf(DepositAddressEntity).name,
};

/** Makes and checks the MACs of the rows that decide where money goes (specification/wallets.md#integrity). */
@Injectable()
export class WalletAuthenticator {
  private readonly logger = new Logger('WalletIntegrity');

  constructor(
    private readonly keyring: Keyring,
    private readonly meters: Meters,
  ) {
    for (const table of Object.values(TABLES)) meters.unauthentic.inc({ table }, 0);
  }

  mac<Row>({ purpose, fieldsOf }: RowAuthentication<Row>, row: Row): string {
    return this.keyring.mac(purpose, fieldsOf(row));
  }

  /** Whether a process with a key of APP_KEYS wrote the row as it is. */
  isAuthentic<Row>({ purpose, fieldsOf }: RowAuthentication<Row>, row: Row & { mac: string }): boolean {
    return this.keyring.isMacOf(purpose, fieldsOf(row), row.mac);
  }

  /** @throws WalletIntegrityError */
  requireWallet(wallet: AuthenticWallet & { mac: string }): void {
    if (!this.isAuthentic(WALLET, wallet))
      throw this.refusal('wallet', `wallet ${wallet.id} is not as the gateway wrote it`);
  }

  /** Logs and counts that a merchant's wallets are not as they were written; returns the error to throw. */
  refusal(row: AuthenticatedRow, reason: string): WalletIntegrityError {
    this.report(row, { reason }, 'wallet integrity');
    return new WalletIntegrityError(reason);
  }

  /** Logs and counts a row that is not as it was written. */
  report(row: AuthenticatedRow, details: object, message: string): void {
    this.logger.error({ row, ...details }, message);
    this.meters.unauthentic.inc({ table: TABLES[row] });
  }
}
