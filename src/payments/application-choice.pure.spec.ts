import type { ApplicationView } from '../applications/application-view.pure.js';
import { applicationMessage, type Caller, deletedMessage } from './application-choice.pure.js';

const ID = '0190a000-0000-7000-8000-00000000000a';
const SITE = '0190a000-0000-7000-8000-00000000000b';
const OTHER = '0190a000-0000-7000-8000-00000000000c';
const CLIENT_ID = 'k3v9x1q8z7w6p5m4n3b2c1a0s9d8f7g6';
const OWN: ApplicationView = {
  isSiteAuthentic: true,
  id: ID,
  userId: 'u',
  name: 'Shop',
  clientId: CLIENT_ID,
  currencyWhitelist: [],
  createdAt: new Date(0),
  deletedAt: null,
  site: {
    id: SITE,
    title: 'Shop',
    url: null,
    callbackUrl: null,
    settingId: OTHER,
    settingTitle: 'Default Settings',
    allowOverpay: true,
    allowUnderpay: false,
    underpayLeastShareBps: 9_500,
    underpayToleranceBps: 0,
    confirmations: {},
    events: [],
    accent: null,
    supportUrl: null,
    defaultLanguage: null,
    logoId: null,
    logoHash: null,
  },
};
const OAUTH: Caller = { own: null, isClientToken: false, oauthClientId: 'demo-server' };
const OWNER: Caller = { ...OAUTH, own: OWN };
const CLIENT: Caller = { own: OWN, isClientToken: true, oauthClientId: null };

const CLIENT_ID_RULE =
  'It must be the clientId of one of your payment applications, 32 lower-case letters and digits, as GET /api/payment-applications shows it.';
const SITE_ID_RULE =
  'It must be the site.id of one of your payment applications, a UUID, as GET /api/payment-applications shows it.';
const TOKEN_RULE = `A client token acts for its own payment application only, whose clientId is ${CLIENT_ID}.`;

describe('applicationMessage', () => {
  it.each<[string, 'clientId' | 'siteId', string, Caller, string]>([
    ['an unknown clientId', 'clientId', 'a'.repeat(32), OAUTH, CLIENT_ID_RULE],
    ['anything else', 'clientId', 'My Store', OAUTH, CLIENT_ID_RULE],
    [
      "the id of one of the caller's applications",
      'clientId',
      ID.toUpperCase(),
      OWNER,
      `This is the id of your payment application; its clientId is ${CLIENT_ID}. ${CLIENT_ID_RULE}`,
    ],
    [
      "the siteId of one of the caller's applications",
      'clientId',
      SITE,
      OWNER,
      `This is the siteId of your payment application; its clientId is ${CLIENT_ID}. ${CLIENT_ID_RULE}`,
    ],
    [
      "a UUID that is not the asker's",
      'clientId',
      OTHER,
      OAUTH,
      `This looks like the id of a payment application or of a site, or another UUID. ${CLIENT_ID_RULE}`,
    ],
    [
      'the OAuth client id',
      'clientId',
      'demo-server',
      OAUTH,
      `This is the client_id of your OAuth client, with which you get access tokens. ${CLIENT_ID_RULE}`,
    ],
    [
      'a client token',
      'clientId',
      `pct_${'a'.repeat(40)}`,
      CLIENT,
      `This looks like a client token, which is a secret and belongs only into the Authorization header. ${TOKEN_RULE}`,
    ],
    ["an application that is not the token's", 'clientId', 'a'.repeat(32), CLIENT, TOKEN_RULE],
    [
      "the id of the token's application",
      'clientId',
      ID,
      CLIENT,
      `This is the id of your payment application. ${TOKEN_RULE}`,
    ],
    ['an unknown site', 'siteId', OTHER, OAUTH, SITE_ID_RULE],
    [
      "the id of one of the caller's applications as siteId",
      'siteId',
      ID,
      OWNER,
      `This is the id of your payment application; its siteId is ${SITE}. ${SITE_ID_RULE}`,
    ],
    [
      "a site that is not the token's",
      'siteId',
      OTHER,
      CLIENT,
      `A client token acts for its own payment application only, whose siteId is ${SITE}.`,
    ],
  ])('%s', (_name, field, sent, asking, rest) =>
    expect(applicationMessage(field, sent, asking)).toBe(`The selected ${field} is invalid. ${rest}`),
  );
});

describe('deletedMessage', () => {
  it('names the route that restores the application', () =>
    expect(deletedMessage('clientId', OWN)).toBe(
      `The selected clientId is invalid. This payment application was deleted; restore it with POST /api/payment-applications/${ID}/restore, or use another one.`,
    ));
});
