import { NoticeQueue } from '../src/notices/notice-queue.service.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { MailServer } from './support/mail-server.js';
import { RefundRequestsApi } from './support/refund-requests-api.js';
import { CUSTOMER, RefundsApi } from './support/refunds-api.js';
import { Shop } from './support/shop.js';

it('a customer who asks for a refund is told once to who chose it, with no address in it', async () => {
  const mail = await MailServer.start();
  const shop = await Shop.open({ SMTP_URL: mail.url, MAIL_FROM: 'gateway@example.test' });
  try {
    const application = await shop.application({ name: 'Tea shop' });
    const chosen = await shop.call('PUT', '/api/account/notices', shop.owner.accessToken, {
      kinds: ['refund'],
      language: 'fr',
    });
    expect(chosen.status).toBe(200);
    const payment = await new RefundsApi(shop, application).paid({}, 'eth', (due) => (due * 5n) / 4n);
    const customer = new RefundRequestsApi(shop);
    await customer.askAndClaim(payment, { type: 'OVERPAYMENT' }, CUSTOMER);
    while (await shop.gateway.get(NoticeQueue).runOnce()) continue;
    const owner = await shop.gateway.get(UsersService).findActive(shop.owner.userId);
    expect(mail.mails.map(({ to, headers }) => [to, headers['subject']])).toEqual([
      [[owner?.email], 'Un client de Tea shop demande un remboursement'],
    ]);
    expect(`${mail.mails[0]?.raw} ${mail.mails[0]?.text}`).not.toMatch(/0x[0-9a-f]{40}/i);
  } finally {
    await Promise.all([shop.close(), mail.close()]);
  }
});
