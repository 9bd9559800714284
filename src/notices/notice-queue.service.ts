import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { AccessLinksService } from '../identity/oauth/access-links.service.js';
import { MembersService } from '../identity/oauth/people/members.service.js';
import { UsersService } from '../identity/oauth/people/users.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import type { Locale } from '../platform/kernel/i18n/locale.pure.js';
import { textsOf } from '../platform/kernel/i18n/texts.js';
import { Keyring } from '../platform/kernel/keyring.js';
import { type Addressee, type NoticeContent, openContent } from './notice-content.js';
import type { NoticeEntity } from './notice.entity.js';
import { NoticeRepository } from './notice.repository.js';
import { MAX_ATTEMPTS, nextAttemptAt } from './notice-schedule.pure.js';
import { NoticeFailure, NoticeSender } from './notice-sender.js';
import { mailText, writeNotice } from './notice-text.pure.js';

/** Sent at the same time by one process. */
const BATCH = 8;
const KEPT_MS = 90 * 24 * 3_600_000;
const DELETE_BATCH = 1_000;

interface Recipient {
  email: string;
  language: Locale;
  /** Of its own; null: the page of the dashboard. */
  link: string | null;
  /** Of somebody else, whose screens the page shows. */
  accountId?: string;
}

/** Sends what {@link Notices} wrote down, at least once: a process that dies between sending and noting it sends it again. */
@Injectable()
export class NoticeQueue implements OnModuleDestroy {
  private readonly logger = new Logger('Notices');
  private readonly sender: NoticeSender;

  constructor(
    private readonly rows: NoticeRepository,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly links: AccessLinksService,
    private readonly keyring: Keyring,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.sender = new NoticeSender(config.notices, new URL(config.baseUrl).hostname);
  }

  onModuleDestroy(): void {
    this.sender.close();
  }

  /** True while more are due. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    const claimed = await this.rows.claim(now, BATCH, (attempt) => nextAttemptAt(attempt, now));
    await Promise.all(claimed.map((notice) => this.deliver(notice)));
    return claimed.length === BATCH;
  }

  /** Deletes what ended long ago. True while there may be more. */
  async purge(): Promise<boolean> {
    const oldest = new Date(this.clock.now().getTime() - KEPT_MS);
    return (await this.rows.deleteBefore(oldest, DELETE_BATCH)) === DELETE_BATCH;
  }

  private async deliver({ id, name, attempts, sealedContent }: NoticeEntity): Promise<void> {
    const about = { noticeId: id, notice: name, attempt: attempts };
    try {
      const content = openContent(this.keyring, id, sealedContent);
      const problem = content ? await this.send(id, content) : 'unreadable';
      if (problem === null) await this.rows.setSent(id, this.clock.now());
      else await this.rows.setDead(id, this.clock.now(), problem);
      this.logger.log({ ...about, ...(problem !== null && { problem }) }, 'notice ended');
    } catch (error) {
      if (!(error instanceof NoticeFailure)) throw error;
      const isOver = error.isFinal || attempts >= MAX_ATTEMPTS;
      if (isOver) await this.rows.setDead(id, this.clock.now(), error.code);
      else await this.rows.setFailed(id, error.code);
      this.logger.warn({ ...about, problem: error.code }, isOver ? 'notice given up' : 'notice not sent');
    }
  }

  /** Null: it is sent; otherwise why it is for nobody. @throws NoticeFailure */
  private async send(id: string, { addressee, said }: NoticeContent): Promise<string | null> {
    const { baseUrl } = this.config;
    if (addressee.to === 'channel') {
      await this.sender.post(writeNotice(said, textsOf('en'), `${baseUrl}/dashboard`, null));
      return null;
    }
    const recipient = await this.recipientOf(addressee);
    if (!recipient) return 'nobody';
    const { email, language, link, accountId } = recipient;
    const texts = textsOf(language);
    const written = writeNotice(
      said,
      texts,
      `${baseUrl}/dashboard${accountId ? `/accounts/${accountId}` : ''}`,
      link,
    );
    await this.sender.mail({
      id,
      to: email,
      subject: written.title,
      text: mailText(written, texts, baseUrl),
      language,
    });
    return null;
  }

  /** Whoever may not know it any more gets nothing. */
  private async recipientOf(addressee: Exclude<Addressee, { to: 'channel' }>): Promise<Recipient | null> {
    const { language } = addressee;
    if (addressee.to === 'address') return { email: addressee.email, language, link: addressee.link };
    if (addressee.to === 'forgotten') return this.passwordLink(addressee.email, language);
    const { userId } = addressee;
    const user = await this.users.findActive(userId);
    if (!user) return null;
    if (addressee.to === 'operator')
      return user.isOperator ? { email: user.email, language, link: null } : null;
    const { accountId } = addressee;
    if (accountId === null || accountId === userId) return { email: user.email, language, link: null };
    const isMember = (await this.members.findRole(accountId, userId)) !== null;
    return isMember ? { email: user.email, language, link: null, accountId } : null;
  }

  /** A new link for each attempt, which ends the one before: it stands in no table. */
  private async passwordLink(email: string, language: Locale): Promise<Recipient | null> {
    const user = await this.users.findVouched(email);
    if (!user) return null;
    const { url } = await this.links.createPasswordReset(user.id);
    return { email: user.email, language, link: url };
  }
}
