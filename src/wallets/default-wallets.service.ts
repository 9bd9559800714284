import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { ADDRESS_FAMILIES } from '../chains/chain-families.pure.js';
import { CONFIG, type Config, ConfigError } from '../config.js';
import { UsersService } from '../identity/oauth/people/users.service.js';
import { type RecentRead, RecentReads } from '../platform/database/recent-reads.js';
import { EarlierUse } from './earlier-use/earlier-use.service.js';
import { type ExtendedPublicKey, ExtendedKeyError } from './extended-public-key.pure.js';
import { WalletIntegrityError } from './integrity-errors.pure.js';
import { ScriptTypeError } from './utxo-account-key.pure.js';
import { KeyInUseError, WalletActivation } from './wallet-activation.service.js';
import { WalletKeys } from './wallet-keys.service.js';

/** Owner of the default wallets. */
const OPERATOR = { applicationId: null, userId: null };

/**
 * The operator's own keys, for applications without a wallet in the accounts that the operator names: money of any other
 * account must never go to them. The configuration names the key that this process uses; the database row holds its
 * counter, which all processes share.
 */
@Injectable()
export class DefaultWallets implements OnModuleInit {
  private readonly logger = new Logger('DefaultWallets');
  private readonly keys = new Map<AddressFamily, ExtendedPublicKey>();
  private readonly ids = new Map<AddressFamily, string>();
  private readonly rights: RecentRead<{ isOperator: boolean }>;

  /** @throws ConfigError naming the variable, never its value */
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly activation: WalletActivation,
    private readonly users: UsersService,
    private readonly earlierUse: EarlierUse,
    walletKeys: WalletKeys,
    recent: RecentReads,
  ) {
    this.rights = recent.of();
    for (const family of ADDRESS_FAMILIES) {
      const text = config.defaultWallets[family];
      if (text !== undefined) this.keys.set(family, readKey(walletKeys, family, text));
    }
  }

  /** @throws ConfigError when a merchant's wallet already uses the key */
  async onModuleInit(): Promise<void> {
    for (const [family, key] of this.keys) {
      try {
        const looked = await this.earlierUse.look(family, key);
        this.ids.set(family, await this.activation.activate(OPERATOR, family, key, looked));
      } catch (error) {
        if (error instanceof KeyInUseError)
          throw new ConfigError([`${variable(family)}: is already in use by an application's wallet`]);
        if (!(error instanceof WalletIntegrityError)) throw error;
        // The gateway works on for all others, and what was paid is still credited.
        this.logger.error({ family, reason: error.reason }, "the operator's wallet is not used");
      }
    }
  }

  /** The wallet's id; null: the operator has configured no key, or names other accounts for it. */
  async findIdFor(userId: string, family: AddressFamily): Promise<string | null> {
    const id = this.ids.get(family) ?? null;
    return id !== null && (await this.serves(userId)) ? id : null;
  }

  /** Whether a payment of the account may be paid to one of the operator's keys. */
  async servesAny(userId: string, families: readonly AddressFamily[]): Promise<boolean> {
    return families.some((family) => this.ids.has(family)) && this.serves(userId);
  }

  private async serves(userId: string): Promise<boolean> {
    const named = this.config.defaultWalletAccounts;
    if (named.includes('all') || named.includes(userId)) return true;
    return named.includes('operators') && this.isOperator(userId);
  }

  private async isOperator(userId: string): Promise<boolean> {
    const read = async () => ({ isOperator: (await this.users.findActive(userId))?.isOperator === true });
    return (await this.rights.get(userId, read))?.isOperator === true;
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
