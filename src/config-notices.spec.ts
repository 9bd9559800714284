import { randomBytes } from 'node:crypto';
import { type Config, ConfigError, loadConfig } from './config.js';

const BASE = {
  DATABASE_URL: 'postgres://gateway:x@db.example.com/gateway',
  APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
};
const MAIL = { SMTP_URL: 'smtps://user:p%40ss@mail.example.com:465', MAIL_FROM: 'Shop <shop@example.com>' };
const load = (env: Record<string, string>): Config['notices'] => loadConfig({ ...BASE, ...env }).notices;

function problemsOf(env: Record<string, string>): string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
  }
  return [];
}

it('is off by default', () => {
  expect(load({})).toEqual({ mail: null, channel: null, backupFolder: null });
});

it.each([
  MAIL,
  { ...MAIL, SMTP_URL: 'smtp://mail.example.com' },
  { ...MAIL, SMTP_URL: 'smtp://[::1]:25/', MAIL_FROM: 'shop@example.com' },
])('takes %o', (env) => expect(load(env).mail).toEqual({ url: env.SMTP_URL, from: env.MAIL_FROM }));

it('posts what Slack takes, unless another body is given', () => {
  const NOTICE_URL = 'https://hooks.example.com/secret';
  expect(load({ NOTICE_URL }).channel?.template).toBe('{"text":"{title}\\n{text}\\n{link}"}');
  expect(load({ NOTICE_URL, NOTICE_TEMPLATE: '{title}: {text}' }).channel?.template).toBe('{title}: {text}');
});

it.each([
  ['SMTP_URL', { SMTP_URL: 'mail.example.com:465' }],
  ['SMTP_URL', { SMTP_URL: 'http://mail.example.com' }],
  ['SMTP_URL', { SMTP_URL: 'smtp://' }],
  ['SMTP_URL', { SMTP_URL: 'smtps://user:secret-word%0d%0a@mail.example.com' }],
  ['SMTP_URL', { SMTP_URL: 'smtps://user:100%@mail.example.com' }],
  ['SMTP_URL', { SMTP_URL: 'smtps://mail.example.com/?tls=off' }],
  ['MAIL_FROM', { SMTP_URL: '' }],
  ['MAIL_FROM', { MAIL_FROM: '' }],
  ['MAIL_FROM', { MAIL_FROM: 'shop' }],
  ['MAIL_FROM', { MAIL_FROM: 'a@example.com, b@example.com' }],
  ['MAIL_FROM', { MAIL_FROM: 'Shop\n<shop@example.com>' }],
  ['NOTICE_URL', { NOTICE_URL: 'ntfy.sh/topic' }],
  ['NOTICE_TEMPLATE', { NOTICE_TEMPLATE: '{title}' }],
  ['NOTICE_TEMPLATE', { NOTICE_URL: 'https://ntfy.example.com', NOTICE_TEMPLATE: 'nothing' }],
  ['NOTICE_TEMPLATE', { NOTICE_URL: 'https://ntfy.example.com', NOTICE_TEMPLATE: '{"text": {title}}' }],
  ['BACKUP_FOLDER', { BACKUP_FOLDER: 'backups' }],
])('refuses by the name %s: %o', (name, env) => {
  const problems = problemsOf({ ...MAIL, ...env });
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([name]);
  expect(problems.join()).not.toMatch(/secret-word|p%40ss/);
});
