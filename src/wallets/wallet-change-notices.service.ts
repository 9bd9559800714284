import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Hook } from '../platform/kernel/hook.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import type { WalletChangeEntity } from './wallet-change.entity.js';
import type { ChangeState } from './wallet-change.pure.js';
import { WalletChoices } from './wallet-choices.service.js';

type ChangeFacts = Omit<WalletChangeEntity, 'sealedKey' | 'mac'>;

/** A change that was requested, applied or cancelled. */
export interface WalletNotice {
  change: ChangeFacts;
  state: ChangeState;
  at: Date;
  /** The applications whose new addresses come from the wallet, or will. */
  applicationIds: readonly string[];
}

/** Reports changes of wallets: to the log, to the merchant's servers, and to the audit log. */
@Injectable()
export class WalletChangeNotices {
  private readonly logger = new Logger('WalletChanges');
  readonly changed = new Hook<WalletNotice>();

  constructor(
    private readonly clock: Clock,
    private readonly choices: WalletChoices,
    private readonly audit: AuditLog,
  ) {}

  /** For whoever reads the log, and for the merchant's servers; before the audit log, which others wait for. */
  async report(change: ChangeFacts, state: ChangeState): Promise<void> {
    const { id: changeId, userId, applicationId, family, fingerprint, previousFingerprint } = change;
    const facts = { changeId, userId, applicationId, family, fingerprint, previousFingerprint };
    this.logger.log(facts, `wallet change ${state}`);
    const applicationIds =
      applicationId === null ? await this.choices.listApplicationsWithout(userId, family) : [applicationId];
    await this.changed.call({ change, state, at: this.clock.now(), applicationIds });
  }

  /** For the audit log; last in the transaction. */
  async record(
    act: 'wallet.change_requested' | 'wallet.change_applied' | 'wallet.change_cancelled',
    { id, userId, applicationId, family, fingerprint }: ChangeFacts,
    more: { effectiveAt?: string } = {},
  ): Promise<void> {
    const target = { kind: 'wallet_change', id };
    await this.audit.record({
      act,
      userId,
      target,
      details: { family, fingerprint, applicationId, ...more },
    });
  }
}
