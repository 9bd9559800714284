import { Injectable, type OnModuleInit } from '@nestjs/common';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { newId } from '../platform/kernel/ids.pure.js';
import { Outbox } from '../payments/outbox.service.js';
import { WalletChangeNotices, type WalletNotice } from '../wallets/wallet-change-notices.service.js';
import { findTreasury } from '../wallets/wallet-source.pure.js';
import type { WalletChangedEvent } from './wallet-changed-event.contract.js';

/** Writes `wallet.changed` for each application that a change of a wallet concerns, in the change's transaction. */
@Injectable()
export class WalletNotices implements OnModuleInit {
  constructor(
    private readonly changes: WalletChangeNotices,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.changes.changed.listen((notice) => this.write(notice));
  }

  private async write({ change, state, at, applicationIds }: WalletNotice): Promise<void> {
    const { userId, family, fingerprint, previousFingerprint, effectiveAt, changedBy } = change;
    for (const applicationId of await this.outbox.listListening(applicationIds, 'wallet.changed')) {
      const id = newId(at);
      const body: WalletChangedEvent = {
        id,
        event: 'wallet.changed',
        createdAt: toIsoSeconds(at),
        applicationId,
        change: {
          state,
          family,
          isDefaultWallet: change.applicationId === null,
          fingerprint,
          previousFingerprint,
          treasury: findTreasury(change.maskedKey),
          effectiveAt: toIsoSeconds(effectiveAt),
          requestedBy: changedBy,
        },
      };
      await this.outbox.announce({
        id,
        userId,
        applicationId,
        type: 'wallet.changed',
        body: JSON.stringify(body),
        createdAt: at,
      });
    }
  }
}
