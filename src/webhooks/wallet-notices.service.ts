import { Injectable, type OnModuleInit } from '@nestjs/common';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { newId } from '../platform/kernel/ids.pure.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { WalletChangeNotices, type WalletNotice } from '../wallets/wallet-change-notices.service.js';
import { ApplicationEventRepository } from './events/application-event.repository.js';
import type { WalletChangedEvent } from './wallet-changed-event.contract.js';

/** Writes `wallet.changed` for each application that a change of a wallet concerns, in the change's transaction. */
@Injectable()
export class WalletNotices implements OnModuleInit {
  constructor(
    private readonly changes: WalletChangeNotices,
    private readonly events: ApplicationEventRepository,
    private readonly loops: PollingLoops,
  ) {}

  onModuleInit(): void {
    this.changes.onChanged((notice) => this.write(notice));
  }

  private async write({ change, state, at, applicationIds }: WalletNotice): Promise<void> {
    const { family, fingerprint, previousFingerprint, effectiveAt, changedBy } = change;
    for (const applicationId of await this.events.listListening(applicationIds, 'wallet.changed')) {
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
          effectiveAt: toIsoSeconds(effectiveAt),
          requestedBy: changedBy,
        },
      };
      await this.events.insert({
        id,
        applicationId,
        type: 'wallet.changed',
        body: JSON.stringify(body),
        createdAt: at,
      });
    }
    this.loops.wake(LoopName.ApplicationEvents);
  }
}
