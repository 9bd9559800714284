import { Injectable, Logger } from '@nestjs/common';
import { Keyring, UnsealError } from '../platform/security/keyring.js';
import { CHANGE_PURPOSE } from './encrypted-columns.js';
import { ExtendedKeyError, type ExtendedPublicKey } from './extended-public-key.pure.js';
import { ScriptTypeError } from './utxo-account-key.pure.js';
import type { WalletChangeEntity } from './wallet-change.entity.js';
import { WalletKeys } from './wallet-keys.service.js';

type ChangeTerms = Pick<WalletChangeEntity, 'id' | 'applicationId' | 'userId' | 'family' | 'activatesAt'>;

/**
 * Encrypts the key of a pending change together with its owner, family and time: a change that was altered in the
 * database, or made there, does not take effect.
 */
@Injectable()
export class SealedWalletChanges {
  private readonly logger = new Logger('WalletChanges');

  constructor(
    private readonly keyring: Keyring,
    private readonly keys: WalletKeys,
  ) {}

  seal(change: ChangeTerms, key: ExtendedPublicKey): string {
    return this.keyring.seal(CHANGE_PURPOSE, change.id, JSON.stringify([...termsOf(change), key.text]));
  }

  /** Null: it is not as the gateway wrote it, or its key cannot be read. */
  open(change: ChangeTerms & Pick<WalletChangeEntity, 'sealedChange'>): ExtendedPublicKey | null {
    try {
      const text = this.keyring.unseal(CHANGE_PURPOSE, change.id, change.sealedChange ?? '');
      const [applicationId, userId, family, activatesAt, key = ''] = JSON.parse(text) as (string | null)[];
      const isAsWritten =
        JSON.stringify([applicationId, userId, family, activatesAt]) === JSON.stringify(termsOf(change));
      return isAsWritten ? this.keys.read(change.family, key ?? '', null) : null;
    } catch (error) {
      // Of another network, or no key of the ring decrypts it.
      const isExpected = [UnsealError, ExtendedKeyError, ScriptTypeError].some((kind) => error instanceof kind);
      if (!isExpected) throw error;
      this.logger.error({ changeId: change.id }, 'key of a wallet change cannot be read');
      return null;
    }
  }
}

function termsOf({ applicationId, userId, family, activatesAt }: ChangeTerms): (string | null)[] {
  return [applicationId, userId, family, activatesAt.toISOString()];
}
