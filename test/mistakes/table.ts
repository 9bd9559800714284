import { AUTHENTICATION, SCOPES } from './authentication.js';
import { CHECKOUT_BYTES, CHECKOUT_FIELDS } from './checkout-body.js';
import { DASHBOARDS } from './dashboards.js';
import { LINKS } from './links.js';
import { LISTS } from './lists.js';
import { METHODS } from './methods.js';
import type { MistakeGroup } from './mistake.js';
import { OAUTH } from './oauth.js';
import { REFUNDS, REQUESTS, STATES } from './orders.js';
import { PATHS } from './paths.js';
import { APPLICATIONS, CLIENT_TOKENS, WALLETS, WEBHOOKS } from './settings.js';

/** What integrators get wrong, by where they get it wrong. */
export const MISTAKES: MistakeGroup[] = [
  { name: 'authentication', mistakes: AUTHENTICATION },
  { name: 'scopes', mistakes: SCOPES },
  { name: 'paths and verbs', mistakes: PATHS },
  { name: 'fields of a checkout', mistakes: CHECKOUT_FIELDS },
  { name: 'bytes of a checkout', mistakes: CHECKOUT_BYTES },
  { name: 'lists', mistakes: LISTS },
  { name: 'payment methods', mistakes: METHODS },
  { name: 'links', mistakes: LINKS },
  { name: 'payment applications', mistakes: APPLICATIONS },
  { name: 'wallets', mistakes: WALLETS },
  { name: 'client tokens', mistakes: CLIENT_TOKENS },
  { name: 'webhooks', mistakes: WEBHOOKS },
  { name: 'refunds', mistakes: REFUNDS },
  { name: 'states', mistakes: STATES },
  { name: 'requests', mistakes: REQUESTS },
  { name: 'OAuth2', mistakes: OAUTH },
  { name: 'dashboards', mistakes: DASHBOARDS },
];
