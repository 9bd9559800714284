import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ConfigError } from '../config.js';
import { Keyring } from '../platform/kernel/keyring.js';
import { WalletRepository } from './wallet.repository.js';

/**
 * Refuses to start without a key that the wallets' MACs were made with. Otherwise a key that is removed too early would
 * make every address of before look forged, and what is paid to them would not be credited.
 */
@Injectable()
export class KeyCoverage implements OnModuleInit {
  constructor(
    private readonly wallets: WalletRepository,
    private readonly keyring: Keyring,
  ) {}

  /** @throws ConfigError naming the missing keys */
  async onModuleInit(): Promise<void> {
    const missing = (await this.wallets.listKeyIds()).filter((id) => !this.keyring.has(id));
    if (missing.length === 0) return;
    throw new ConfigError([
      `APP_KEYS: lacks ${missing.map((id) => `"${id}"`).join(', ')}, which wallets are stored with; put it back, and run reseal-secrets before you remove it`,
    ]);
  }
}
