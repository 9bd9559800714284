import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isAddress, LOOPBACK_HOSTS } from './platform/kernel/dns/ip-address.pure.js';
import { canParseUrl } from './platform/web/contract/url.pure.js';

/* Formats of configuration values; config.ts assigns them to variables. No message repeats a value. */

export const integer = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}, without a unit`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
};
export const httpUrl = z
  .url({
    protocol: /^https?$/,
    error: ({ input }) => (input === undefined ? 'is required' : 'must be an http(s) URL'),
  })
  .transform((url) => url.replace(/(^|[^/])\/+$/, '$1'));
export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
  .refine((url) => !/%(?![0-9A-Fa-f]{2})/.test(url), 'must be percent-encoded: a % of a password is %25')
  .refine(
    isWholePostgresUrl,
    'must be postgres://role:password@host:port/database; in the password, # is %23, / is %2F, ? is %3F, @ is %40',
  );

/** A password that is not encoded ends the address early, and what remains names another host. */
function isWholePostgresUrl(text: string): boolean {
  if (!canParseUrl(text)) return false;
  const { hash, pathname } = new URL(text);
  return hash === '' && !/[@:]/.test(pathname) && !text.endsWith('#');
}

/** The owner of the schema grants rights to the role that DATABASE_URL names, which must be another one. */
export function problemsOfRoles(env: NodeJS.ProcessEnv): string[] {
  const [gateway, migrator] = [env['DATABASE_URL'], env['DATABASE_MIGRATION_URL']].map((url) =>
    url && canParseUrl(url) ? new URL(url).username : '',
  );
  if (!env['DATABASE_MIGRATION_URL']) return [];
  if (!gateway)
    return ['DATABASE_URL: must name its role (postgres://role:…) when DATABASE_MIGRATION_URL is set'];
  return gateway === migrator ? ['DATABASE_MIGRATION_URL: must name another role than DATABASE_URL'] : [];
}

/** May contain user name and password, percent-encoded. */
export const proxyUrl = z.string().refine((text) => {
  const url = canParseUrl(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return `${url.pathname}${url.search}${url.hash}` === '/' && isPercentEncoded(url.username + url.password);
}, 'must be http://host:port or https://host:port, with user:password@ before the host where needed');

/** Without a user, which fetch refuses; without TLS only to this machine. */
export const updateCheckUrl = z.string().refine((text) => {
  const url = canParseUrl(text) ? new URL(text) : null;
  if (!url || `${url.username}${url.password}` !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname));
}, 'must be an https URL without a user');

/** Whether it decodes to characters that HTTP Basic authentication allows (RFC 7617). */
export function isPercentEncoded(text: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
/** Words that stand for accounts in WALLET_XPUB_ACCOUNTS, beside their ids. */
export const accountsOfDefaultKeys = list
  .refine(
    (names) => names.length > 0 && (names.length === 1 || !names.includes('all')),
    'must be all, or operators and ids of accounts, comma-separated',
  )
  .default(['operators']);

/** A word, or an id that this gateway gave. */
export const isOwnAccount = (name: string): boolean =>
  /^(?:operators|all|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(name);

export const isRange = (text: string): boolean =>
  ipaddr.isValidCIDR(text) && isAddress(text.slice(0, text.indexOf('/')));

/** Milliseconds. */
export const pollInterval = integer(50, 60_000);

export const perMinute = integer(0, 1_000_000);
export const perHour = integer(0, 1_000_000);

export const appKeys = list.transform((entries, context) => {
  const ids = new Set<string>();
  return entries.map((entry) => {
    const [, id, encoded] = /^([A-Za-z0-9_-]{1,16}):([A-Za-z0-9+/=_-]+)$/.exec(entry) ?? [];
    const key = Buffer.from(encoded ?? '', 'base64');
    if (!id || key.length !== 32) {
      context.addIssue({
        code: 'custom',
        message: 'must be <id>:<base64 of 32 random bytes>, comma-separated, newest first',
      });
      return { id: '', key };
    }
    if (new Set(key).size < 12) context.addIssue({ code: 'custom', message: `key "${id}" is not random` });
    if (ids.has(id)) context.addIssue({ code: 'custom', message: `key "${id}" is listed twice` });
    ids.add(id);
    return { id, key };
  });
});

export const signingKeys = list.pipe(
  z
    .array(
      z
        .string()
        .min(32, 'each key needs at least 32 characters of randomness')
        .refine((key) => new Set(key).size >= 12, 'a key is not random'),
    )
    .min(1),
);

export const tokens = list.transform((entries, context) =>
  entries.map((entry) => {
    const [, code = '', contract = '', decimals = ''] =
      /^([A-Z0-9]{2,10}):(0x[0-9a-fA-F]{40}|T[1-9A-HJ-NP-Za-km-z]{33}):(\d{1,2})$/.exec(entry) ?? [];
    if (!code)
      context.addIssue({ code: 'custom', message: 'must be CODE:contract:decimals, comma-separated' });
    // Hexadecimal addresses are the same in any case; base58 is case-sensitive.
    const spelled = contract.startsWith('0x') ? contract.toLowerCase() : contract;
    return { code, contract: spelled, decimals: Number(decimals) };
  }),
);

// No message quotes an address: it often contains a key.
export const rpcUrls = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be text') })
  .pipe(list)
  .pipe(z.array(httpUrl).min(1, 'is required').max(8, 'must list at most 8 endpoints'))
  .refine((urls) => new Set(urls).size === urls.length, 'lists an endpoint twice');

/** Longer words in a path are keys, as hosted nodes write them. */
const KEY_IN_PATH = /\/[^/]{24,}/;

/** Addresses that are handed to wallets of customers: whoever opens a payment reads them. */
export const walletRpcUrls = list
  .pipe(z.array(httpUrl).max(4, 'must list at most 4 addresses'))
  .refine(
    (urls) => urls.every(isPublicUrl),
    'must be https and public, without a user, a key in the path, or a query',
  );

function isPublicUrl(url: string): boolean {
  // Reported by the form of a URL.
  if (!/^https?:/.test(url) || !canParseUrl(url)) return true;
  const { protocol, username, password, search, hash, pathname } = new URL(url);
  return (
    protocol === 'https:' && `${username}${password}${search}${hash}` === '' && !KEY_IN_PATH.test(pathname)
  );
}

const COIN_AMOUNT = /^[A-Z0-9]{2,10}:\d{1,30}(\.\d{1,36})?$/;
const amountsOf = (message: string) =>
  z
    .array(z.string().regex(COIN_AMOUNT, message))
    .transform((entries) => entries.map((entry) => entry.split(':')))
    .transform((pairs) => pairs.map(([code = '', amount = '']) => ({ code, amount })));
/** `off`: none. */
export const coinAmounts = list
  .transform((entries) => (entries.join() === 'off' ? [] : entries))
  .pipe(amountsOf('must be off, or CODE:amount in whole coins, e.g. POL:0.5,USDT:1000'));
export const floors = list.pipe(amountsOf('must be CODE:amount in whole coins, e.g. ETH:0.0001,USDT:0.5'));

/** As nodes write it, e.g. 126271255279306.9, or 4.656542373906925e-10 on private networks. */
export const difficulty = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,2})?$/i, 'must be a number; 0 switches the check off')
  .transform(Number);

/** The value of a header. */
export const apiKey = z.string().regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 characters without spaces');

const TIER = /^([A-Z0-9]{2,10}):(\d{1,30}(?:\.\d{1,36})?):(\d{1,5}|safe|finalized)$/;
const TAGS = ['safe', 'finalized'] as const;
const blocks = z.int().min(1).max(10_000);
/** The confirmations of ordinary amounts, followed by what larger ones require. */
export const confirmations = list.transform(([ordinary = '', ...entries], context) => {
  const confirmationTiers = entries.map((entry) => {
    const [, code = '', amount = '', required = ''] = TIER.exec(entry) ?? [];
    const tag = TAGS.find((one) => one === required);
    return { code, amount, required: tag ?? Number(required) };
  });
  const first = /^\d{1,5}$/.test(ordinary) ? Number(ordinary) : 0;
  const numbers = [first, ...confirmationTiers.map(({ required }) => required)];
  if (!numbers.every((number) => typeof number === 'string' || blocks.safeParse(number).success))
    context.addIssue({
      code: 'custom',
      message:
        'must be 1 to 10000 blocks, then CODE:amount:blocks for larger amounts, e.g. 2,BTC:1:3,BTC:10:6; instead of ' +
        'blocks, safe or finalized where the chain has such blocks',
    });
  return { confirmations: first, ...(entries.length > 0 && { confirmationTiers }) };
});

const HOUR = 3_600;
/**
 * Seconds since the first attempt (specification/webhooks.md#retries): 0, 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4
 * h, then 12 h and every 8 h up to 68 h.
 */
const DEFAULT_RETRY_SCHEDULE = [0, 5, 30, 120, 600, 1_800, HOUR, 2 * HOUR, 4 * HOUR].concat(
  Array.from({ length: 8 }, (_, i) => (12 + 8 * i) * HOUR),
);

export interface WalletApp {
  name: string;
  /** With {page} for the address of the page without its scheme, or {url} for the whole one, percent-encoded. */
  link: string;
}

/** By the kind of chains that they pay on. */
export type WalletApps = Readonly<Record<'evm' | 'tron', readonly WalletApp[]>>;

/** As their makers document them: docs.metamask.io, developer.trustwallet.com, docs.cdp.coinbase.com, docs.phantom.com. */
export const DEFAULT_WALLET_APPS = [
  'MetaMask=https://link.metamask.io/dapp/{page}',
  'Trust Wallet=https://link.trustwallet.com/open_url?coin_id=60&url={url}',
  'Coinbase Wallet=https://go.cb-w.com/dapp?cb_url={url}',
  'Phantom=https://phantom.app/ul/browse/{url}?ref={url}',
].join(',');

/** TronLink's own scheme is the only one that is documented: docs.tronlink.org/mobile/deeplink. */
const [WALLET_APP, TRON_WALLET_APP] = [
  /^([^=<>"]{1,40})=(https:\/\/[^\s<>"]{1,300})$/,
  /^([^=<>"]{1,40})=((?:https|tronlinkoutside):\/\/[^\s<>"]{1,300})$/,
];

const walletLinks = (form: RegExp, schemes: string) =>
  list.transform((entries, context): WalletApp[] =>
    entries.flatMap((entry) => {
      const [, name = '', link = ''] = form.exec(entry) ?? [];
      if (/\{(page|url)\}/.test(link)) return [{ name: name.trim(), link }];
      context.addIssue({
        code: 'custom',
        message: `must be Name=${schemes} with {page} or {url} in it, comma-separated; empty for none`,
      });
      return [];
    }),
  );

export const walletApps = walletLinks(WALLET_APP, 'https://…').prefault(DEFAULT_WALLET_APPS);
export const tronWalletApps = walletLinks(TRON_WALLET_APP, 'https://… or tronlinkoutside://…').prefault('');

export const retrySchedule = list
  .transform((entries) => entries.map(Number))
  .pipe(z.array(z.number().int().min(0).max(2_592_000)).min(1))
  .refine(
    (offsets) => offsets.every((offset, i) => (i === 0 ? offset === 0 : offset > (offsets[i - 1] ?? 0))),
    'must be seconds since the first attempt, ascending from 0',
  )
  .default(DEFAULT_RETRY_SCHEDULE);

/** The problems of a parsed environment, by variable. */
export function describeProblems(error: z.ZodError, prefix = ''): string[] {
  const problems = error.issues.map((issue) => {
    const missing = issue.code === 'invalid_type' && issue.message.includes('received undefined');
    return `${prefix}${String(issue.path[0])}: ${missing ? 'is required' : issue.message}`;
  });
  return [...new Set(problems)];
}
