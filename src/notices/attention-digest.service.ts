import { Injectable } from '@nestjs/common';
import { MembersService } from '../identity/oauth/people/members.service.js';
import { UsersService } from '../identity/oauth/people/users.service.js';
import { AttentionService } from '../overview/attention.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { NoticeChoiceRepository } from './notice-choice.repository.js';
import { Notices } from './notices.service.js';

/** Tells once a day, and no more, how much needs attention: however many payments do. */
@Injectable()
export class AttentionDigest {
  constructor(
    private readonly choices: NoticeChoiceRepository,
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly attention: AttentionService,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  /** Returns false: nothing more to do at once. */
  async runOnce(): Promise<boolean> {
    const day = this.clock.now().toISOString().slice(0, 10);
    for (const { userId, applicationIds } of await this.choices.listAll('attention')) {
      if (!(await this.users.findActive(userId))) continue;
      for (const { accountId, name, email } of await this.members.listAccounts(userId)) {
        const occasion = `${day}:${accountId}`;
        if (await this.notices.isTold(userId, 'attention', occasion)) continue;
        const query = applicationIds === null ? {} : { paymentApplicationId: applicationIds };
        const counts = await this.attention.counts(accountId, query);
        const total = counts.reduce((sum, { count }) => sum + count, 0);
        if (total === 0) continue;
        const values = { n: total, account: name ?? email };
        await this.notices.tellUser(userId, accountId, { notice: 'attention', values, counts }, occasion);
      }
    }
    return false;
  }
}
