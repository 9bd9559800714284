import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { AttentionDigest } from '../src/notices/attention-digest.service.js';
import { NoticeQueue } from '../src/notices/notice-queue.service.js';
import { OutageWatch } from '../src/notices/outage-watch.service.js';
import { ChainHealthService } from '../src/chains/chain-health.service.js';
import { asOwner } from './support/as-owner.js';
import { AccountApi } from './support/account-api.js';
import { Browser } from './support/browser.js';
import { MailServer } from './support/mail-server.js';
import { MerchantServer } from './support/merchant-server.js';
import { PASSWORD } from './support/oauth-api.js';
import { plantDeliveries } from './support/planted-deliveries.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';
import { newAccount } from './support/wallets-api.js';

const FROM = 'Gateway <gateway@example.test>';
const TOKEN = /[?&]token=[\w-]{43}/;
/** An address of a blockchain, whole. */
const ADDRESS = /0x[0-9a-fA-F]{40}|\b(?:bc1|tb1|ltc1|bcrt1)[0-9a-z]{20,}|[xt]pub\w{20,}/;

let mail: MailServer;
let channel: MerchantServer;
let backups: string;
let harness: WebhookHarness;
let account: AccountApi;

beforeAll(async () => {
  [mail, channel] = await Promise.all([MailServer.start(), MerchantServer.start()]);
  backups = await mkdtemp(path.join(os.tmpdir(), 'backups-'));
});
afterAll(async () => {
  await Promise.all([mail.close(), channel.down(), rm(backups, { recursive: true })]);
});
beforeEach(async () => {
  mail.mails.length = 0;
  mail.refusal = null;
  channel.requests.length = 0;
  harness = await WebhookHarness.start({ SMTP_URL: mail.url, MAIL_FROM: FROM, WALLET_CHANGE_DELAY: '60' });
  account = await AccountApi.open(harness.gateway);
});
afterEach(() => harness.stop());

const get = <T>(type: Parameters<typeof harness.gateway.get<T>>[0]) => harness.gateway.get<T>(type);
const choose = (kinds: string[], by = account, more: object = {}) =>
  by.call('PUT', '/notices', { kinds, language: 'en', ...more });

/** Runs the queue until nothing is due. */
async function send(gateway = harness.gateway): Promise<void> {
  while (await gateway.get(NoticeQueue).runOnce()) continue;
}
async function look(): Promise<void> {
  await get(OutageWatch).runOnce();
  await send();
}
const subjects = () => mail.mails.map(({ headers, to }) => `${to.join()}: ${headers['subject']}`);
const rows = () =>
  harness.sql.query<{ name: string; attempts: number; last_error: string | null; state: string }>(
    `select name, attempts, last_error, sealed_content is null as erased,
       case when sent_at is not null then 'sent' when dead_at is not null then 'dead' else 'waits' end as state
     from notices order by created_at, id`,
  );

/** A shop of the account, whose endpoint fails. */
async function failingShop(name = 'Shop'): Promise<Merchant> {
  const merchant = await harness.addMerchant({ name }, account.user.id);
  merchant.server.always({ status: 500 });
  await harness.addPaymentEvent(merchant);
  await harness.drain();
  await harness.pass(20 * 60);
  return merchant;
}

describe('an endpoint that fails', () => {
  it('is told once an outage, however many payments fail, and once when it is back', async () => {
    expect((await choose(['endpoint'])).status).toBe(200);
    const merchant = await failingShop();
    const [original] = await harness.sql.query<{ id: string }>('select id from webhook_deliveries');
    await plantDeliveries(harness, 10_000);
    await look();
    await look();
    harness.clock.advanceSeconds(3_600);
    await look();
    expect(subjects()).toEqual([`${account.user.email}: Webhooks of Shop fail`]);
    expect(mail.mails[0]?.text).toContain('The endpoint of Shop has taken no webhook since');
    expect(mail.mails[0]?.text).toContain('/dashboard/webhooks');
    await asOwner(harness, (tx) => tx.query('delete from webhook_deliveries where id <> $1', [original?.id]));
    merchant.server.always({ status: 200 });
    await harness.pass(24 * 3_600);
    await look();
    await look();
    expect(subjects().slice(1)).toEqual([`${account.user.email}: Webhooks of Shop arrive again`]);
  });

  it('is told to nobody who did not ask, may not know, or chose another application', async () => {
    const [stranger, member, picky] = [
      await AccountApi.open(harness.gateway),
      await AccountApi.open(harness.gateway),
      await AccountApi.open(harness.gateway),
    ];
    for (const joining of [member, picky]) {
      const { data } = await account.call<{ url: string }>('POST', '/invitations', {
        email: joining.user.email,
        role: 'viewer',
      });
      const token = new URL(data.url).searchParams.get('token');
      expect((await joining.call('POST', '/invitations/accept', { token })).status).toBe(200);
    }
    await send();
    mail.mails.length = 0;
    await choose(['endpoint'], stranger);
    await choose(['endpoint'], member);
    await choose(['endpoint'], picky, { paymentApplicationIds: [stranger.user.id] });
    await failingShop();
    await get(OutageWatch).runOnce();
    await send();
    expect(subjects()).toEqual([`${member.user.email}: Webhooks of Shop fail`]);
  });

  it('is not told to a member who was removed before the mail went out', async () => {
    const member = await AccountApi.open(harness.gateway);
    const { data } = await account.call<{ url: string }>('POST', '/invitations', {
      email: member.user.email,
      role: 'viewer',
    });
    await member.call('POST', '/invitations/accept', { token: new URL(data.url).searchParams.get('token') });
    await choose(['endpoint'], member);
    await failingShop();
    await get(OutageWatch).runOnce();
    await account.call('DELETE', `/members/${member.user.id}`);
    await send();
    expect(subjects().filter((subject) => subject.includes('fail'))).toEqual([]);
  });

  it('puts no line of a name into the headers', async () => {
    await choose(['endpoint']);
    const merchant = await failingShop();
    // Names are checked where they are set; a row that was changed behind the gateway is not.
    await harness.sql.query('update payment_applications set name = $2 where id = $1', [
      merchant.applicationId,
      'Shop\r\nBcc: thief@example.test\r\n\r\nbody',
    ]);
    await look();
    const [received] = mail.mails;
    expect(received?.to).toEqual([account.user.email]);
    expect(received?.headers['bcc']).toBeUndefined();
    expect(received?.headers['subject']).toBe('Webhooks of Shop Bcc: thief@example.test body fail');
  });
});

describe('a mail', () => {
  it('is tried again while the server is down, and then sent once', async () => {
    await mail.close();
    expect((await account.call('POST', '/notices/test')).status).toBe(204);
    await send();
    harness.clock.advanceSeconds(60);
    await send();
    expect(await rows()).toMatchObject([{ state: 'waits', attempts: 2 }]);
    await mail.open();
    harness.clock.advanceSeconds(300);
    await send();
    harness.clock.advanceSeconds(86_400);
    await send();
    expect(subjects()).toEqual([`${account.user.email}: This is a test`]);
    expect(await rows()).toMatchObject([{ state: 'sent', attempts: 3, last_error: null, erased: true }]);
  });

  it('that was sent and not noted comes twice, and says by its id that it is the same', async () => {
    await harness.sql.query(`create function refuse_sent() returns trigger language plpgsql as
      $$ begin if new.sent_at is not null then raise 'killed'; end if; return new; end $$`);
    await harness.sql.query(
      'create trigger refuse_sent before update on notices for each row execute function refuse_sent()',
    );
    await account.call('POST', '/notices/test');
    await expect(send()).rejects.toThrow('killed');
    await harness.sql.query('drop trigger refuse_sent on notices');
    harness.clock.advanceSeconds(60);
    await send();
    await send();
    expect(mail.mails).toHaveLength(2);
    expect(new Set(mail.mails.map(({ headers }) => headers['message-id'])).size).toBe(1);
  });

  it('is given up where the server refuses the recipient, and after a day of failures', async () => {
    mail.refusal = '550 5.1.1 no such user';
    await account.call('POST', '/notices/test');
    await send();
    expect(await rows()).toMatchObject([{ state: 'dead', attempts: 1, last_error: 'EENVELOPE 550' }]);
    mail.refusal = '451 later';
    harness.clock.advanceSeconds(60);
    await account.signInAgain();
    await account.call('POST', '/notices/test');
    for (let attempt = 0; attempt < 12; attempt++) {
      await send();
      harness.clock.advanceSeconds(43_200);
    }
    expect((await rows())[1]).toMatchObject({ state: 'dead', attempts: 9 });
    expect(mail.mails).toEqual([]);
  });

  it('of a row that somebody else wrote is not sent', async () => {
    await account.call('POST', '/notices/test');
    await harness.sql.query(`update notices set sealed_content = 'v1.t1.AAAA.BBBB.CCCC'`);
    await send();
    expect(await rows()).toMatchObject([{ state: 'dead', last_error: 'unreadable' }]);
    expect(mail.mails).toEqual([]);
  });

  it('is in the language of the person, with plain text in every header', async () => {
    await account.call('PUT', '/notices', { kinds: [], language: 'de' });
    await account.call('POST', '/notices/test');
    await send();
    expect(mail.mails[0]?.headers).toMatchObject({
      subject: 'Das ist ein Test',
      'content-language': 'de',
      'auto-submitted': 'auto-generated',
    });
    expect(mail.mails[0]?.from).toBe('gateway@example.test');
  });
});

describe('what nobody has to ask for', () => {
  it('is a change of a wallet, told to the owner at each step, without an address or a key', async () => {
    for (let i = 0; i < 2; i++) {
      const key = newAccount().publicExtendedKey;
      await account.signInAgain();
      expect((await account.call('PUT', '/wallets/evm', { extendedPublicKey: key })).status).toBe(200);
    }
    expect((await account.call('DELETE', '/wallets/evm/pending')).status).toBe(204);
    await send();
    // Those that are due at one time go out at one time.
    expect(new Set(subjects().map((subject) => subject.split(': ')[1]))).toEqual(
      new Set(['A wallet was changed', 'A wallet will be changed', 'A change of a wallet was cancelled']),
    );
    expect(mail.mails).toHaveLength(3);
    for (const { raw, text } of mail.mails) expect(`${raw}${text}`).not.toMatch(ADDRESS);
  });

  it('is an invitation, whose link works and stands in no table', async () => {
    const { data } = await account.call<{ url: string }>('POST', '/invitations', {
      email: 'colleague@example.test',
      role: 'viewer',
    });
    const stored = await harness.sql.query<{ row: string }>('select to_jsonb(n)::text as row from notices n');
    expect(stored.map(({ row }) => row).join()).not.toMatch(/token=|colleague@/);
    await send();
    expect(subjects()).toEqual([`colleague@example.test: An invitation from ${account.user.email}`]);
    expect(mail.mails[0]?.text).toContain(data.url);
    const [link = ''] = /http\S+token=\S+/.exec(mail.mails[0]?.text ?? '') ?? [];
    expect((await new Browser(harness.gateway).submit(link, { password: PASSWORD })).status).toBe(200);
  });

  it('is a password link, for a vouched address alone, and with the same answer for every other one', async () => {
    const browser = new Browser(harness.gateway);
    const page = `${harness.gateway.baseUrl}/api/oauth/forgotten-password`;
    expect((await browser.get(page)).body).toContain('Forgotten password');
    const answers = [];
    for (const email of [account.user.email, 'nobody@example.test']) {
      const { status, body } = await browser.submit(page, { email });
      answers.push({ status, body });
    }
    expect(answers[0]).toEqual({ status: 200, body: answers[1]?.body });
    // A second request within ten minutes is the same one.
    await browser.submit(page, { email: account.user.email.toUpperCase() });
    await send();
    expect(subjects()).toEqual([`${account.user.email}: Set a new password`]);
    expect(await rows()).toMatchObject([{ state: 'sent' }, { state: 'dead', last_error: 'nobody' }]);
    const [link = ''] = /http\S+token=\S+/.exec(mail.mails[0]?.text ?? '') ?? [];
    expect(link).toMatch(TOKEN);
    expect((await browser.submit(link, { password: 'seventeen green umbrellas' })).status).toBe(200);
    expect((await browser.submit(page, { email: 'no address' })).status).toBe(422);
    expect(
      (await browser.submit(page, { email: 'a@example.test' }, { origin: 'https://evil.test' })).status,
    ).toBe(403);
  });

  it('bounds the requests of one client', async () => {
    const browser = new Browser(harness.gateway);
    const page = `${harness.gateway.baseUrl}/api/oauth/forgotten-password`;
    const statuses = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await browser.submit(page, { email: `a${i}@example.test` })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('what an operator is told', () => {
  const operator = async () => {
    await get(UsersService).setOperator(account.user.id, true);
    expect((await choose(['chain', 'backup'])).status).toBe(200);
  };

  it('is a chain that stands still, once, and once when it goes on', async () => {
    await operator();
    const health = get(ChainHealthService);
    await health.sawTrouble('ethereum', 'connect ECONNREFUSED', null);
    await look();
    expect(mail.mails).toEqual([]);
    harness.clock.advanceSeconds(11 * 60);
    await look();
    await look();
    expect(subjects()).toEqual([`${account.user.email}: Ethereum stands still`]);
    await health.sawHead('ethereum', { height: 5, hash: '0x05' }, null);
    await look();
    expect(subjects()[1]).toBe(`${account.user.email}: Ethereum works again`);
  });

  it('is nothing to others, who cannot choose it, or to one who is no operator any more', async () => {
    expect(await choose(['chain'])).toMatchObject({
      status: 422,
      error: { errors: { kinds: [expect.any(String)] } },
    });
    await operator();
    await get(UsersService).setOperator(account.user.id, false);
    await get(ChainHealthService).sawTrouble('ethereum', 'connect ECONNREFUSED', null);
    harness.clock.advanceSeconds(11 * 60);
    await look();
    expect(mail.mails).toEqual([]);
  });

  it('is that there is no new backup, also over the channel', async () => {
    await harness.stop();
    harness = await WebhookHarness.start({
      SMTP_URL: mail.url,
      MAIL_FROM: FROM,
      NOTICE_URL: `${channel.url}?secret=abc`,
      NOTICE_TEMPLATE: '{"topic":"shop","title":"{title}","message":"{text}","click":"{link}"}',
      BACKUP_FOLDER: backups,
    });
    account = await AccountApi.open(harness.gateway);
    await operator();
    await look();
    const dump = path.join(backups, 'gateway-1.dump');
    await writeFile(dump, 'x');
    const now = harness.clock.now();
    await utimes(dump, now, now);
    await look();
    harness.clock.advanceSeconds(27 * 3_600);
    await look();
    await look();
    const titles = ['There is no backup', 'Backups work again', 'The newest backup is too old'];
    expect(subjects()).toEqual(titles.map((title) => `${account.user.email}: ${title}`));
    const posted = channel.requests.map(({ body }) => JSON.parse(body.toString()) as Record<string, string>);
    expect(posted.map(({ title }) => title)).toEqual(titles);
    expect(posted[0]).toMatchObject({
      topic: 'shop',
      click: expect.stringContaining('/dashboard/operator') as string,
    });
  });
});

describe('the digest', () => {
  it('comes once a day, with counts by cause', async () => {
    await choose(['attention']);
    const merchant = await harness.addMerchant({ name: 'Shop' }, account.user.id);
    await get(AttentionDigest).runOnce();
    await send();
    expect(mail.mails).toEqual([]);
    for (let i = 0; i < 3; i++) {
      const payment = await harness.addPayment(merchant);
      await harness.pay(merchant, payment, 50n);
    }
    for (let turn = 0; turn < 3; turn++) {
      await get(AttentionDigest).runOnce();
      await send();
    }
    expect(subjects()).toEqual([`${account.user.email}: 3 matters need attention`]);
    expect(mail.mails[0]?.text).toContain('– Paid too little: 3');
    harness.clock.advanceSeconds(86_400);
    await get(AttentionDigest).runOnce();
    await send();
    expect(mail.mails).toHaveLength(2);
  });
});

describe('a gateway without mail', () => {
  it('has no such page, tells nobody anything, and says so', async () => {
    const gateway = await harness.addGateway();
    const silent = await AccountApi.open(gateway);
    expect((await silent.call<{ available: boolean }>('GET', '/notices')).data).toEqual({
      available: false,
      kinds: [],
      paymentApplicationIds: null,
      language: 'en',
    });
    expect((await silent.call('POST', '/notices/test')).status).toBe(409);
    expect((await fetch(`${gateway.baseUrl}/api/oauth/forgotten-password`)).status).toBe(404);
    await silent.call('POST', '/invitations', { email: 'x@example.test', role: 'viewer' });
    expect(await rows()).toEqual([]);
  });

  it('sends what one with mail wrote only there', async () => {
    const gateway = await harness.addGateway();
    await account.call('POST', '/notices/test');
    await send(gateway);
    expect(mail.mails).toEqual([]);
  });
});
