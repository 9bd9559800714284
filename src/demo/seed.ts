import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ApplicationView } from '../applications/application-view.pure.js';
import { OPT_IN_EVENTS, STANDARD_EVENTS } from '../applications/event-types.pure.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { Draft } from '../platform/web/contract/read-contract.js';
import type { Config } from '../config.js';
import { ProvisioningService } from '../identity/oauth/provisioning.service.js';
import { WALLETS_WRITE } from '../platform/kernel/oauth-scopes.pure.js';
import { PaymentCreationService } from '../payments/payment-creation.service.js';
import { ClientTokensService } from '../tokens/client-tokens.service.js';
import { type ShopAccount } from './shop/coffee-shop.js';
import { WEBHOOK_PATH } from './shop/shop-site.js';
import { readState, writeState } from './state-file.js';

const CLIENT_ID = 'demo-server';
const EMAIL = 'demo@example.com';

/** Secrets of the demo's accounts; generated once and stored, since the gateway stores only their hashes. */
interface Credentials extends Record<string, unknown> {
  password: string;
  clientSecret: string;
  webhookSecret: string;
  applicationId: string | null;
  clientToken: string | null;
  shopApplicationId: string | null;
  shopClientToken: string | null;
}

/** The credentials and links of the demo; also written to `demo.json`. */
export interface DemoFacts {
  oauth: { tokenUrl: string; clientId: string; clientSecret: string };
  user: { email: string; password: string };
  application: { id: string; clientId: string; siteId: string; secret: string };
  clientToken: string;
  checkoutUrl: string;
  /** The demo shop, with an application of its own: the other one is for the reader of the documentation to change. */
  shop: ShopAccount;
}

/**
 * Creates a user, its OAuth clients and two applications with a client token each, once; and an open payment at each
 * start.
 * @param shopUrl where the demo shop is open
 */
export async function seedDemo(
  app: NestExpressApplication,
  config: Config,
  dataDir: string,
  shopUrl: string,
): Promise<DemoFacts> {
  const file = path.join(dataDir, 'demo-credentials.json');
  const credentials = (await readState(file)) as Credentials | null;
  const known = { ...newCredentials(), ...credentials };
  if (!credentials) await writeState(file, known, 0o600);

  const provisioning = app.get(ProvisioningService, { strict: false });
  const user = await provisioning.ensureUser(EMAIL, known.password, true);
  await provisioning.ensureClient({
    clientId: CLIENT_ID,
    name: 'Demo merchant server',
    secret: known.clientSecret,
    userId: user.id,
    grantTypes: ['client_credentials'],
    redirectUris: [],
    // The examples set wallets. In production a client for that is made for the purpose and revoked afterwards.
    scopes: ['*', WALLETS_WRITE],
  });

  // First, so that the reader's own application is the first of the list.
  const shop = await ensureShop(app, user.id, known, shopUrl);
  const application = await ensureApplication(app, user.id, known);
  known.applicationId = application.id;
  known.clientToken ??= await newClientToken(app, user.id, application.id);
  await writeState(file, known, 0o600);

  const { checkoutUrl } = await app.get(PaymentCreationService, { strict: false }).create(
    { kind: 'oauth', userId: user.id, clientId: CLIENT_ID, grantId: null, scopes: ['*'], signIn: null },
    Draft.of({
      amount: 2500n,
      currencyCode: 'USD',
      reference: 'DEMO-1',
      referenceLabel: 'Demo order',
      clientId: application.clientId,
    }),
  );
  return {
    oauth: {
      tokenUrl: `${config.baseUrl}/api/oauth/token`,
      clientId: CLIENT_ID,
      clientSecret: known.clientSecret,
    },
    user: { email: EMAIL, password: known.password },
    application: {
      id: application.id,
      clientId: application.clientId,
      siteId: application.site.id,
      secret: known.webhookSecret,
    },
    clientToken: known.clientToken,
    checkoutUrl,
    shop,
  };
}

function newCredentials(): Credentials {
  return {
    password: randomBytes(12).toString('base64url'),
    clientSecret: randomBytes(32).toString('base64url'),
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    applicationId: null,
    clientToken: null,
    shopApplicationId: null,
    shopClientToken: null,
  };
}

/** The port of the shop may be another at each start. Its origin may frame the checkout. */
async function ensureShop(
  app: NestExpressApplication,
  userId: string,
  known: Credentials,
  url: string,
): Promise<ShopAccount> {
  const applications = app.get(ApplicationsService, { strict: false });
  const { shopApplicationId: id, webhookSecret: secret } = known;
  const addresses = { url, callbackUrl: `${url}${WEBHOOK_PATH}` };
  if (id) {
    await applications.restore(userId, id);
    await applications.update(userId, id, Draft.of(addresses));
  } else {
    const events = [...STANDARD_EVENTS, ...OPT_IN_EVENTS];
    const created = await applications.create(
      userId,
      Draft.of({ name: 'Coffee shop', secret, events, ...addresses }),
    );
    known.shopApplicationId = created.id;
  }
  const application = await applications.getOwned(userId, known.shopApplicationId ?? '');
  known.shopClientToken ??= await newClientToken(app, userId, application.id);
  const { clientId } = application;
  return { url, secret, applicationId: application.id, clientId, clientToken: known.shopClientToken };
}

async function ensureApplication(
  app: NestExpressApplication,
  userId: string,
  { applicationId, webhookSecret }: Credentials,
): Promise<ApplicationView> {
  const applications = app.get(ApplicationsService, { strict: false });
  if (applicationId) return applications.restore(userId, applicationId);
  return applications.create(
    userId,
    Draft.of({ name: 'Demo shop', secret: webhookSecret, url: 'https://shop.example' }),
  );
}

async function newClientToken(
  app: NestExpressApplication,
  userId: string,
  applicationId: string,
): Promise<string> {
  const tokens = app.get(ClientTokensService, { strict: false });
  const { token } = await tokens.create(
    userId,
    applicationId,
    Draft.of({ label: 'Demo token', scopes: ['*'] }),
  );
  return token;
}
