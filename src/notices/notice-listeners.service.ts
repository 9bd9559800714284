import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { InvitationsService } from '../identity/oauth/people/invitations.service.js';
import { PasswordRequests } from '../identity/oauth/people/password-requests.service.js';
import { UserErasure } from '../identity/oauth/people/user-erasure.service.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { RefundNotices } from '../refunds/refund-notices.service.js';
import { WalletChangeNotices, type WalletNotice } from '../wallets/wallet-change-notices.service.js';
import type { NoticeName } from './notice-kinds.pure.js';
import { Notices } from './notices.service.js';

const WALLETS = {
  pending: 'wallet-pending',
  applied: 'wallet-applied',
  cancelled: 'wallet-cancelled',
} as const satisfies Record<WalletNotice['state'], NoticeName>;

/** Minutes within which a second request for a password link is the same one. */
const REQUEST_MINUTES = 10;

/** What other modules do is told from here, in the transaction of what they do. */
@Injectable()
export class NoticeListeners implements OnModuleInit {
  constructor(
    private readonly notices: Notices,
    private readonly applications: ApplicationsService,
    private readonly wallets: WalletChangeNotices,
    private readonly refunds: RefundNotices,
    private readonly invitations: InvitationsService,
    private readonly passwords: PasswordRequests,
    private readonly erasure: UserErasure,
  ) {}

  onModuleInit(): void {
    this.erasure.erasing.listen((userId) => this.notices.forget(userId));
    if (!this.notices.isOn) return;
    this.wallets.changed.listen((notice) => this.tellWallet(notice));
    this.refunds.requested.listen(async ({ refundId, applicationId, userId: accountId }) => {
      const values = { application: (await this.applications.getById(applicationId)).name };
      const said = { notice: 'refund-requested', values } as const;
      await this.notices.tellAccount('refund', { accountId, applicationId }, said, refundId);
    });
    if (!this.notices.hasMail) return;
    this.invitations.invited.listen(async ({ id, accountId, inviter, email, url }) => {
      const language = await this.notices.languageOf(accountId);
      const said = { notice: 'invitation', values: { inviter } } as const;
      await this.notices.tellAddress({ to: 'address', email, language, link: url }, said, id);
    });
    this.passwords.asked.listen(async ({ email, language, at }) => {
      const occasion = String(Math.floor(at.getTime() / (REQUEST_MINUTES * 60_000)));
      const said = { notice: 'password', values: {} } as const;
      await this.notices.tellAddress({ to: 'forgotten', email, language }, said, occasion);
    });
  }

  private async tellWallet({ change, state, at }: WalletNotice): Promise<void> {
    const { id, userId, applicationId, family, fingerprint, effectiveAt } = change;
    const application = applicationId === null ? null : await this.applications.getById(applicationId);
    const values = {
      family,
      application: application?.name ?? '',
      isDefault: application === null ? 'yes' : 'no',
      fingerprint: fingerprint ?? 'none',
      changedAt: toIsoSeconds(at),
      effectiveAt: toIsoSeconds(effectiveAt),
    };
    await this.notices.tellOwner(userId, { notice: WALLETS[state], values }, id);
  }
}
