import { ConflictError } from '../platform/kernel/errors/errors.pure.js';

/**
 * A wallet, or the statement which wallets are active, is not as the gateway wrote it
 * (specification/wallets.md#integrity).
 */
export class WalletIntegrityError extends ConflictError {
  /** @param reason for the log; the client learns that there is one */
  constructor(readonly reason: string) {
    super(
      'wallet_integrity',
      'The wallets of this owner were changed outside of the gateway, so they cannot be shown or used.',
    );
  }
}

/** No address may be shown: the stored one, or the wallet that a new one would come from, is not as it was written. */
export class AddressIntegrityError extends Error {
  /** @param expected what was to be found instead, as `verify` prints it */
  constructor(
    message: string,
    readonly expected = "the address that the wallet's key derives",
  ) {
    super(message);
  }
}
