import type { IncomingHttpHeaders } from 'node:http';
import type { Place, Secret } from './secret-finder.js';

/** One answered request, with everything that was sent. */
export interface SeenExchange {
  method: string;
  target: string;
  requestHeaders: IncomingHttpHeaders;
  /** The raw response, also for other readers. */
  sentBody: Buffer;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

interface Found extends Secret {
  value: string;
}

const EVERYWHERE: readonly Place[] = ['answer', 'log', 'database'];
/** Where a value must not appear that its owner can read again at any time. */
const READABLE: readonly Place[] = ['log', 'database'];
/** Part of what is stored and sent: payments carry their checkout link. */
const SENT: readonly Place[] = ['log'];

/**
 * Responses that show a secret once (specification/operations.md#secrets); a request repeated with its key gets the same
 * response.
 */
const SHOWN_ONCE: readonly RegExp[] = [
  /^POST \/api\/payment-applications\/[^/]+\/client-tokens\/?$/,
  /^POST \/api\/oauth\/token\/?$/,
  /^POST \/api\/account\/oauth-clients(\/[^/]+\/rotate-secret)?\/?$/,
  /^POST \/api\/account\/invitations\/?$/,
  /^POST \/dashboard\/session(\/refresh)?\/?$/,
  /^POST \/api\/account\/two-factor(\/confirm|\/recovery-codes)?\/?$/,
];
/** The same for everybody; tests send the examples in it. */
const DOCUMENTATION = /^GET \/api\/(openapi\.json|docs)\b/;

/** Fields whose value is a secret, in requests and in answers. */
const SECRET_FIELD =
  /^(secret|password|(current|new)_?password|client_?secret|(access_|refresh_|id_)?token|code_verifier)$/i;
const KEY_FIELD = /^extendedPublicKey$/;

/** The id of a sign-in under way: it is in the page's address too, and worth nothing without the signature beside it. */
const INTERACTION_COOKIE = /^[\w-]*oauth_(interaction|resume)=/;

export function secretsOfExchange(exchange: SeenExchange): { secrets: Found[]; isSearched: boolean } {
  const { method, target, requestHeaders, sentBody, status, headers, body } = exchange;
  const name = `${method} ${target.split('?')[0]}`;
  if (DOCUMENTATION.test(name)) return { secrets: [], isSearched: false };
  // What was refused is none: tests present all sorts of things as secrets, hashes of true ones among them.
  const isTaken = status < 400;
  const secrets = [
    ...(isTaken ? secretsOfHeaders(requestHeaders) : []),
    ...(isTaken ? secretsOfBody(sentBody, requestHeaders['content-type']) : []),
    ...secretsOfBody(body, headers['content-type']),
    ...links(target),
    ...links(body.toString('utf8')),
  ];
  const isShownOnce = status < 300 && SHOWN_ONCE.some((pattern) => pattern.test(name));
  return { secrets, isSearched: !isShownOnce };
}

/** @param env of a gateway */
export function secretsOfConfiguration(env: Record<string, string>): Found[] {
  const whole = (kind: string, key: string, places = EVERYWHERE): Found[] =>
    (env[key] ?? '').split(',').map((value) => ({ kind, places, value: value.replace(/^[\w-]{1,16}:/, '') }));
  const addresses = Object.entries(env).filter(([key]) => key.endsWith('_URL'));
  return [
    ...whole('key of APP_KEYS', 'APP_KEYS'),
    ...whole('checkout signing key', 'CHECKOUT_SIGNING_KEY'),
    ...whole('metrics token', 'METRICS_TOKEN'),
    ...Object.keys(env)
      .filter((key) => key.endsWith('_API_KEY'))
      .flatMap((key) => whole(key, key)),
    ...Object.keys(env)
      .filter((key) => key.endsWith('_XPUB'))
      .flatMap((key) => whole(key, key, READABLE)),
    ...addresses.flatMap(([key, value]) => value.split(',').flatMap((url) => secretsOfAddress(key, url))),
  ];
}

/** Passwords, and keys in paths and queries: providers of nodes put them there. */
function secretsOfAddress(key: string, address: string): Found[] {
  if (!URL.canParse(address)) return [];
  const url = new URL(address);
  const keys = [...url.pathname.split('/'), ...url.searchParams.values()].filter((part) => part.length >= 24);
  return [url.password, decodeURIComponent(url.password), ...keys].map((value) => ({
    kind: `secret of ${key}`,
    places: EVERYWHERE,
    value,
  }));
}

function secretsOfHeaders({ authorization = '', cookie = '' }: IncomingHttpHeaders): Found[] {
  const [, scheme = '', credentials = ''] = /^(\w+) +(.+)$/.exec(authorization) ?? [];
  const plain = scheme.toLowerCase() === 'basic' ? Buffer.from(credentials, 'base64').toString('utf8') : '';
  return [
    { kind: 'bearer token', places: EVERYWHERE, value: scheme.toLowerCase() === 'bearer' ? credentials : '' },
    { kind: 'Basic credentials', places: EVERYWHERE, value: plain.slice(plain.indexOf(':') + 1) },
    ...cookie
      .split(/; */)
      .filter((pair) => !INTERACTION_COOKIE.test(pair))
      .map((pair) => ({
        kind: `cookie ${pair.split('=')[0]}`,
        places: READABLE,
        value: pair.slice(pair.indexOf('=') + 1),
      })),
  ];
}

function secretsOfBody(body: Buffer, type = ''): Found[] {
  if (type.includes('x-www-form-urlencoded'))
    return secretsOfFields(Object.fromEntries(new URLSearchParams(body.toString('utf8'))));
  if (!type.includes('json')) return [];
  try {
    return secretsOfFields(JSON.parse(body.toString('utf8')));
  } catch {
    // Not every request is well-formed, and is to be.
    return [];
  }
}

/** Characters; those of tests that look at the form of secrets are shorter. */
const MIN_SECRET = 12;

function secretsOfFields(value: unknown): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, item]: [string, unknown]) => {
    const kind = `field ${field}`;
    if (Array.isArray(item) && field === 'recoveryCodes')
      return item.map((code) => ({ kind, places: EVERYWHERE, value: String(code) }));
    if (typeof item !== 'string') return secretsOfFields(item);
    // Responses show it shortened, and so it is stored.
    if (KEY_FIELD.test(field)) return item.length > 40 ? [{ kind, places: READABLE, value: item }] : [];
    // What is shorter stands by chance in what is no secret.
    const isSecret = SECRET_FIELD.test(field) && item.trim().length >= MIN_SECRET;
    return isSecret ? [{ kind, places: EVERYWHERE, value: item }] : [];
  });
}

/** Signatures of checkout and claim links, which grant access (specification/checkout.md#signed-links). */
function links(text: string): Found[] {
  return [...text.matchAll(/\bsignature=([0-9A-Za-z_-]{32,})/g)].map(([, value = '']) => ({
    kind: 'signature of a link',
    places: SENT,
    value,
  }));
}
