import { Injectable, Logger } from '@nestjs/common';
import { Meters } from '../platform/observability/meters.pure.js';
import { Keyring } from '../platform/security/keyring.js';
import { WalletIntegrityError } from './integrity-errors.pure.js';
import {
  type AuthenticatedRow,
  type AuthenticWallet,
  type RowAuthentication,
  WALLET,
} from './row-authentication.pure.js';

/** Makes and checks the MACs of the rows that decide where money goes (specification/wallets.md#integrity). */
@Injectable()
export class RowAuthenticator {
  private readonly logger = new Logger('WalletIntegrity');

  constructor(
    private readonly keyring: Keyring,
    private readonly meters: Meters,
  ) {}

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
    this.meters.integrityFailures.add({ row });
  }
}
