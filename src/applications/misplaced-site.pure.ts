import type { FieldErrors } from '../platform/kernel/errors/errors.pure.js';
import type { SiteView } from './application-view.pure.js';
import { UNDERPAY_SHARES } from './underpay-shares.pure.js';

/** Fields that a request has at the top level and a response shows below `site`. */
export interface SiteFields {
  name?: string;
  url?: string | null;
  callbackUrl?: string | null;
  allowOverpay?: boolean;
  allowUnderpay?: boolean;
  underpayLeastShareBps?: number;
  underpayToleranceBps?: number;
}

/** Where responses show a field, and its name in requests. */
const PLACES: readonly [path: readonly string[], field: keyof SiteFields][] = [
  [['title'], 'name'],
  [['url'], 'url'],
  [['callbackUrl'], 'callbackUrl'],
  [['allowOverpay'], 'allowOverpay'],
  [['allowUnderpay'], 'allowUnderpay'],
  [['setting', 'allowOverpay'], 'allowOverpay'],
  [['setting', 'allowUnderpay'], 'allowUnderpay'],
  [['setting', 'underpayLeastShareBps'], 'underpayLeastShareBps'],
  [['setting', 'underpayToleranceBps'], 'underpayToleranceBps'],
];

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    object,
  );
}

/** Defaults of a new application. */
const NEW: SiteFields = {
  url: null,
  callbackUrl: null,
  allowOverpay: true,
  allowUnderpay: false,
  ...UNDERPAY_SHARES,
};

/**
 * Problems of changes inside `site`, where no field is read: they would be lost without notice, and with a
 * `callbackUrl` all webhooks. A response that is sent back with its `site` unchanged is accepted.
 * @param site of the body, unchecked
 * @param given the fields of the body's top level
 * @param stored null: the application is new
 */
export function misplacedSiteFields(
  site: unknown,
  given: Readonly<SiteFields>,
  stored: SiteView | null,
): FieldErrors {
  const standing: SiteFields = stored ? { ...stored, name: stored.title } : NEW;
  const errors: FieldErrors = {};
  for (const [path, field] of PLACES) {
    const value = valueAt(site, path);
    if (value === undefined || value === given[field] || value === standing[field]) continue;
    const name = ['site', ...path].join('.');
    errors[name] = [`The ${name} field is not read here: send ${field} at the top level of the body.`];
  }
  return errors;
}
