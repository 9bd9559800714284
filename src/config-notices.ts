import { z } from 'zod';
import { isPercentEncoded } from './config-fields.js';
import { canParseUrl } from './platform/web/contract/url.pure.js';

/** How people are told what they must know (src/notices); nothing is, where mail and channel are null. */
export interface NoticesConfig {
  /** With its credentials. */
  mail: { url: string; from: string } | null;
  /** The operator's channel; the URL may contain a secret. */
  channel: { url: string; template: string } | null;
  /** Where backups lie, whose age is looked at; null: it is not. */
  backupFolder: string | null;
}

interface NoticesKeys {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  NOTICE_URL?: string | undefined;
  NOTICE_TEMPLATE?: string | undefined;
  BACKUP_FOLDER?: string | undefined;
}

/** What Slack, Mattermost and others of their kind take. */
const SLACK_TEMPLATE = '{"text":"{title}\\n{text}\\n{link}"}';

/** A mail server; user and password percent-encoded. */
export const smtpUrl = z.string().refine((text) => {
  const url = canParseUrl(text) ? new URL(text) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  return (
    /^\/?$/.test(`${url.pathname}${url.search}${url.hash}`) && isPercentEncoded(url.username + url.password)
  );
}, 'must be smtps://user:password@host:465 or smtp://user:password@host:587');

/** `shop@example.com`, or with a name: `Shop <shop@example.com>`. */
export const mailFrom = z
  .string()
  .regex(
    /^(?:[^<>@\p{Cc}]{1,100} <[^<>@\s\p{Cc}]{1,64}@[^<>@\s\p{Cc}]{1,189}>|[^<>@\s\p{Cc}]{1,64}@[^<>@\s\p{Cc}]{1,189})$/u,
    'must be an address, or Name <address>',
  );

/** What is sent to NOTICE_URL: JSON, or else plain text. */
export const noticeTemplate = z
  .string()
  .refine((text) => /\{(?:title|text)\}/.test(text), 'must contain {title} or {text}')
  .refine(
    (text) => !/^\s*[[{]"/.test(text) || isJson(text),
    'begins like JSON and is none; {title}, {text} and {link} stand within its texts',
  );

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function noticesOf(keys: NoticesKeys): NoticesConfig {
  const {
    SMTP_URL: url,
    MAIL_FROM: from,
    NOTICE_URL,
    NOTICE_TEMPLATE = SLACK_TEMPLATE,
    BACKUP_FOLDER,
  } = keys;
  return {
    mail: url && from ? { url, from } : null,
    channel: NOTICE_URL ? { url: NOTICE_URL, template: NOTICE_TEMPLATE } : null,
    backupFolder: BACKUP_FOLDER ?? null,
  };
}

/** Keys that say nothing without another one, or each of two without the other. */
export function problemsOfPairs(env: NodeJS.ProcessEnv): string[] {
  const has = (key: string) => Boolean(env[key]);
  const isBroken = {
    'OAUTH_AUDIENCE: must be set together with OAUTH_ISSUER': has('OAUTH_ISSUER') !== has('OAUTH_AUDIENCE'),
    'OAUTH_JWKS_URL: must be set together with OAUTH_ISSUER': has('OAUTH_JWKS_URL') && !has('OAUTH_ISSUER'),
    'MAIL_FROM: must be set together with SMTP_URL': has('SMTP_URL') !== has('MAIL_FROM'),
    'NOTICE_TEMPLATE: must be set together with NOTICE_URL': has('NOTICE_TEMPLATE') && !has('NOTICE_URL'),
  };
  return Object.entries(isBroken).flatMap(([problem, broken]) => (broken ? [problem] : []));
}
