import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { ADDRESS_FAMILIES } from '../chains/chain-families.pure.js';
import { CONFIG, type Config, ConfigError } from '../config.js';
import { type ExtendedPublicKey, ExtendedKeyError } from './extended-public-key.pure.js';
import { WalletIntegrityError } from './integrity-errors.pure.js';
import { ScriptTypeError } from './utxo-account-key.pure.js';
import { KeyInUseError, WalletActivation } from './wallet-activation.service.js';
import { WalletKeys } from './wallet-keys.service.js';

/** Owner of the default wallets. */
const OPERATOR = { applicationId: null, userId: null };

/**
 * The operator's own keys, for applications without a wallet. The configuration names the key that this process uses;
 * the database row holds its counter, which all processes share.
 */
@Injectable()
export class DefaultWallets implements OnModuleInit {
  private readonly logger = new Logger('DefaultWallets');
  private readonly keys = new Map<AddressFamily, ExtendedPublicKey>();
  private readonly ids = new Map<AddressFamily, string>();

  /** @throws ConfigError naming the variable, never its value */
  constructor(
    @Inject(CONFIG) config: Config,
    private readonly activation: WalletActivation,
    walletKeys: WalletKeys,
  ) {
    for (const family of ADDRESS_FAMILIES) {
      const text = config.defaultWallets[family];
      if (text !== undefined) this.keys.set(family, readKey(walletKeys, family, text));
    }
  }

  /** @throws ConfigError when a merchant's wallet already uses the key */
  async onModuleInit(): Promise<void> {
    for (const [family, key] of this.keys) {
      try {
        this.ids.set(family, await this.activation.activate(OPERATOR, family, key));
      } catch (error) {
        if (error instanceof KeyInUseError)
          throw new ConfigError([`${variable(family)}: is already in use by an application's wallet`]);
        if (!(error instanceof WalletIntegrityError)) throw error;
        // The gateway works on for all others, and what was paid is still credited.
        this.logger.error({ family, reason: error.reason }, "the operator's wallet is not used");
      }
    }
  }

  /** The wallet's id, or null if the operator has configured no key. */
  findId(family: AddressFamily): string | null {
    return this.ids.get(family) ?? null;
  }
}

function readKey(walletKeys: WalletKeys, family: AddressFamily, text: string): ExtendedPublicKey {
  try {
    return walletKeys.read(family, text, null);
  } catch (error) {
    if (error instanceof ScriptTypeError) {
      throw new ConfigError([
        `${variable(family)}: must state its script type, as a ypub, a zpub or an output descriptor does`,
      ]);
    }
    if (!(error instanceof ExtendedKeyError)) throw error;
    throw new ConfigError([`${variable(family)}: ${error.message}`]);
  }
}

function variable(family: AddressFamily): string {
  return `WALLET_${family.toUpperCase()}_XPUB`;
}
