import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ApplicationView } from '../applications/application-view.pure.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { Draft } from '../platform/contract/read-contract.js';
import type { Config } from '../config.js';
import { ProvisioningService } from '../identity/oauth/provisioning.service.js';
import { WALLETS_WRITE } from '../platform/security/oauth-scopes.pure.js';
import { PaymentCreationService } from '../payments/payment-creation.service.js';
import { ClientTokensService } from '../identity/tokens/client-tokens.service.js';
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
}

/** The credentials and links of the demo; also written to `demo.json`. */
export interface DemoFacts {
  oauth: { tokenUrl: string; clientId: string; clientSecret: string };
  user: { email: string; password: string };
  application: { id: string; clientId: string; siteId: string; secret: string };
  clientToken: string;
  checkoutUrl: string;
}

/** Creates a user, its OAuth clients and an application with a client token, once; and an open payment at each start. */
export async function seedDemo(
  app: NestExpressApplication,
  config: Config,
  dataDir: string,
): Promise<DemoFacts> {
  const file = path.join(dataDir, 'demo-credentials.json');
  const credentials = (await readState(file)) as Credentials | null;
  const known = credentials ?? newCredentials();
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
  await provisioning.ensureClient({
    clientId: 'dashboard',
    name: 'Dashboard',
    secret: null,
    userId: null,
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: [`${config.baseUrl}/dashboard/callback`],
  });

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
  };
}

function newCredentials(): Credentials {
  return {
    password: randomBytes(12).toString('base64url'),
    clientSecret: randomBytes(32).toString('base64url'),
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    applicationId: null,
    clientToken: null,
  };
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
