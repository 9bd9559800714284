import { randomUUID } from 'node:crypto';
import type { AuditAction } from '../../src/platform/kernel/audit-actions.pure.js';
import { OidcStore } from '../../src/identity/oauth/oidc-store.js';
import { ProvisioningService } from '../../src/identity/oauth/provisioning.service.js';
import { auditedLinks } from './audited-links.js';
import { auditedRecords } from './audited-records.js';
import { auditedSessions } from './audited-sessions.js';
import { auditedUsers } from './audited-users.js';
import { auditedWallets } from './audited-wallets.js';
import { type AuditHarness, type AuditedRoute, NEW_KEY, OLD_KEY, runCommand } from './audit-harness.js';
import { AccountApi } from './account-api.js';
import { Browser } from './browser.js';
import { authorizeUrl, basic, createClient, createUser, PASSWORD, postForm } from './oauth-api.js';
import { createOwnerWithClient } from './principals.js';
import { CUSTOMER, type RefundDto, RefundsApi } from './refunds-api.js';
import { type Answer, CONFIRMATIONS, type CreatedPayment } from './shop.js';

/** The way to each act, in the order of {@link AUDIT_ACTIONS}: some need the one before. */
export function auditedRoutes(harness: AuditHarness): Record<AuditAction, AuditedRoute<unknown>> {
  const { shop, application, account, factor, machine } = harness;
  const refunds = new RefundsApi(shop, application);
  /** Throws unless the command succeeded. */
  const cli = async (args: string[], appKeys?: string) => {
    const result = await runCommand(shop, args, appKeys);
    if (result.code !== 0) throw new Error(`exit code ${result.code}: ${result.errors}`);
    return result;
  };
  /** Throws unless the gateway did it. */
  const done = async (answer: Promise<{ status: number }>): Promise<void> => {
    const { status } = await answer;
    if (status >= 400) throw new Error(`answered ${status}`);
  };
  const owner = (method: string, path: string, body?: unknown) =>
    shop.call(method, `/api/payment-applications${path}`, shop.owner.accessToken, body);
  const server = (method: string, path: string, body?: unknown): Promise<Answer> =>
    shop.call(method, path, application.clientToken, body);
  const dataId = (answer: Answer<unknown>) => (answer.body.data as { id: string }).id;

  async function loginPage() {
    const { id, email } = await createUser(shop.gateway);
    const browser = new Browser(shop.gateway);
    const page = await browser.follow(await browser.get(authorizeUrl(await createClient(shop.gateway))));
    return {
      id,
      submit: (password: string) => browser.submit(page.url, { email, password, decision: 'allow' }),
    };
  }

  /** A stray token at an address that waits for ether. */
  async function unmatched(): Promise<{ payment: CreatedPayment; transferId: string }> {
    const payment = await shop.createPayment(application);
    const { address } = await shop.instructions(payment);
    await shop.chain.sendToken({ token: shop.tokens.USDT, to: address as `0x${string}`, value: 5_000_000n });
    await shop.mine(CONFIRMATIONS);
    const [stray] = (await shop.payment(payment)).transactions;
    return { payment, transferId: stray?.id ?? '' };
  }

  const route = <Ready>(description: AuditedRoute<Ready>) => description as AuditedRoute<unknown>;
  const asOwner = () => expect.stringMatching(/^oauth_client:owner-/) as unknown as string;
  const asServer = () => expect.stringMatching(/^client_token:/) as unknown as string;
  const asOperator = () => 'operator';
  let email = '';
  const path = (payment: { id: string }, rest: string) => `/api/payment/${payment.id}${rest}`;

  return {
    'sign_in.succeeded': route({
      before: loginPage,
      act: ({ submit }) => done(submit(PASSWORD)),
      tables: ['oidc_payloads'],
      actor: ({ id }) => `user:${id}`,
    }),
    'sign_in.blocked': route({
      before: loginPage,
      act: async ({ submit }) => {
        await shop.gateway.sql.query(`delete from failed_attempts where kind = 'account-total'`);
        if ((await submit('a guess')).status !== 422) throw new Error('not refused');
      },
      tables: ['refused_sign_ins'],
      actor: () => 'anonymous',
      details: { reason: 'password' },
    }),
    'user.created': route({
      act: () => {
        email = `made-${randomUUID()}@example.test`;
        return cli(['create-user', '--email', email]);
      },
      tables: ['users'],
      actor: asOperator,
    }),
    'user.operator_granted': route({
      act: () => cli(['set-operator', '--email', email]),
      tables: ['users'],
      actor: asOperator,
    }),
    'user.operator_revoked': route({
      act: () => cli(['set-operator', '--email', email, '--revoke']),
      tables: ['users'],
      actor: asOperator,
    }),
    'user.email_changed': route({
      act: () =>
        done(account.put({ email: `new-${account.user.email}`, currentPassword: `${PASSWORD} two` })),
      tables: ['users'],
      actor: () => `user:${account.user.id}`,
    }),
    'user.password_changed': route({
      act: () => done(account.changePassword({ currentPassword: PASSWORD, newPassword: `${PASSWORD} two` })),
      tables: ['users'],
      actor: () => `user:${account.user.id}`,
    }),
    'user.disabled': route({
      act: () => cli(['disable-user', '--email', email]),
      tables: ['users'],
      actor: asOperator,
    }),
    'user.enabled': route({
      act: () => cli(['enable-user', '--email', email]),
      tables: ['users'],
      actor: asOperator,
    }),
    'user.restored': route({
      act: () => cli(['restore-user', '--email', email]),
      tables: ['users'],
      actor: asOperator,
    }),
    ...auditedUsers(harness, cli),
    ...auditedLinks(harness, cli, () => email),
    'second_factor.enabled': route({
      before: () => factor.enrol(),
      act: async () => {
        const { status, data } = await factor.confirm(factor.code());
        if (status !== 200) throw new Error(`answered ${status}`);
        factor.recoveryCodes = data.recoveryCodes;
        factor.nextStep();
      },
      tables: ['second_factors', 'recovery_codes'],
      actor: () => `user:${factor.account.user.id}`,
    }),
    'recovery_codes.replaced': route({
      act: async () => {
        const { status, data } = await factor.regenerate(factor.code());
        if (status !== 200) throw new Error(`answered ${status}`);
        factor.recoveryCodes = data.recoveryCodes;
        factor.nextStep();
      },
      tables: ['recovery_codes', 'second_factors'],
      actor: () => `user:${factor.account.user.id}`,
      details: { code: 'totp' },
    }),
    'recovery_code.used': route({
      before: () => factor.openCodePage(),
      act: ({ typeCode }) => done(typeCode(factor.recoveryCodes[0] ?? '')),
      tables: ['recovery_codes'],
      actor: () => 'anonymous',
    }),
    'second_factor.disabled': route({
      act: () => done(factor.disable(factor.code())),
      tables: ['second_factors', 'recovery_codes'],
      actor: () => `user:${factor.account.user.id}`,
    }),
    'oauth_client.created': route({
      act: () => cli(['create-oauth-client', '--name', 'Shop', '--user', email]),
      tables: ['oauth_clients'],
      actor: asOperator,
      details: { grantTypes: ['client_credentials'] },
    }),
    'oauth_client.changed': route({
      act: () =>
        shop.gateway.get(ProvisioningService).ensureClient({
          clientId: machine.clientId,
          name: machine.clientId,
          secret: 'another secret of enough length',
          userId: machine.userId,
          grantTypes: ['client_credentials'],
          redirectUris: [],
        }),
      tables: ['oauth_clients'],
      actor: () => 'system',
      details: { grantTypes: ['client_credentials'], secretRotated: true },
    }),
    'oauth_client.revoked': route({
      before: () => createOwnerWithClient(shop.gateway),
      act: ({ clientId }) => cli(['revoke-oauth-client', '--client-id', clientId]),
      tables: ['oauth_clients'],
      actor: asOperator,
    }),
    'oauth_token.issued': route({
      before: () => createOwnerWithClient(shop.gateway),
      act: ({ clientId, clientSecret }) =>
        done(
          postForm(
            shop.gateway,
            '/token',
            { grant_type: 'client_credentials' },
            basic(clientId, clientSecret),
          ),
        ),
      tables: ['oidc_payloads'],
      actor: ({ clientId }) => `oauth_client:${clientId}`,
      details: { token: 'ClientCredentials', grantId: null },
    }),
    'oauth_token.revoked': route({
      before: () => createOwnerWithClient(shop.gateway),
      act: ({ clientId, clientSecret, accessToken }) =>
        done(postForm(shop.gateway, '/revoke', { token: accessToken }, basic(clientId, clientSecret))),
      tables: ['oidc_payloads'],
      actor: ({ clientId }) => `oauth_client:${clientId}`,
      details: { token: 'ClientCredentials', grantId: null },
    }),
    // Two requests with one refresh token at the same moment: the second one is here.
    'oauth_token.replayed': route({
      before: async () => {
        const { refreshToken, clientId } = await AccountApi.open(shop.gateway);
        const adapter = shop.gateway.get(OidcStore).adapter('RefreshToken');
        await adapter.consume(refreshToken);
        return { clientId, replay: () => adapter.consume(refreshToken) };
      },
      act: async ({ replay }) => {
        const refusal: unknown = await Promise.resolve(replay()).catch((error: unknown) => error);
        if (!String(refusal).includes('invalid_grant')) throw refusal;
      },
      tables: ['oidc_payloads'],
      actor: ({ clientId }) => `oauth_client:${clientId}`,
    }),
    ...auditedSessions(harness, done),
    'client_token.created': route({
      act: () => done(owner('POST', `/${application.id}/client-tokens`, { label: 'A', scopes: ['*'] })),
      tables: ['client_tokens'],
      actor: asOwner,
    }),
    'client_token.revoked': route({
      before: async () =>
        dataId(await owner('POST', `/${application.id}/client-tokens`, { label: 'B', scopes: ['*'] })),
      act: (id) => done(owner('DELETE', `/${application.id}/client-tokens/${id}`)),
      tables: ['client_tokens'],
      actor: asOwner,
    }),
    'application.created': route({
      act: () => done(owner('POST', '', { name: 'Second', secret: 'a-secret-of-enough-length-for-us' })),
      tables: ['payment_applications', 'sites'],
      actor: asOwner,
      details: { callbackOrigin: null },
    }),
    'application.changed': route({
      before: async () =>
        dataId(await owner('POST', '', { name: 'Third', secret: 'a-secret-of-enough-length-for-us' })),
      act: (id) =>
        done(
          owner('PUT', `/${id}`, {
            secret: 'another-secret-of-enough-length',
            callbackUrl: 'https://a.example/hook/s3cret',
          }),
        ),
      tables: ['payment_applications', 'sites'],
      actor: asOwner,
      details: {
        fields: ['callbackUrl', 'secret'],
        secretRotated: true,
        callbackChanged: true,
        callbackOrigin: 'https://a.example',
      },
    }),
    'application.deleted': route({
      before: async () =>
        dataId(await owner('POST', '', { name: 'Fourth', secret: 'a-secret-of-enough-length-for-us' })),
      act: (id) => done(owner('DELETE', `/${id}`)),
      tables: ['payment_applications'],
      actor: asOwner,
    }),
    'application.restored': route({
      before: async () => {
        const id = dataId(
          await owner('POST', '', { name: 'Fifth', secret: 'a-secret-of-enough-length-for-us' }),
        );
        await owner('DELETE', `/${id}`);
        return id;
      },
      act: (id) => done(owner('POST', `/${id}/restore`)),
      tables: ['payment_applications'],
      actor: asOwner,
    }),
    ...auditedWallets(harness, asOwner),
    'payment.cancelled': route({
      before: () => shop.createPayment(application),
      act: (payment) => done(server('POST', path(payment, '/cancel'), { reason: 'Sold out' })),
      tables: ['payments', 'payment_status_history'],
      actor: asServer,
    }),
    'payment.accepted': route({
      before: () => refunds.paid({}, 'eth', (asked) => asked / 2n),
      act: (payment) => done(server('POST', path(payment, '/accept'))),
      tables: ['payments', 'payment_status_history', 'payment_events'],
      actor: asServer,
      details: { status: 'UNDERPAID' },
    }),
    'payment.kept': route({
      before: () => refunds.paid({ reference: 'KEPT' }, 'eth', (asked) => asked * 2n),
      act: (payment) => done(server('POST', path(payment, '/keep'))),
      tables: ['payments'],
      actor: asServer,
    }),
    'transfer.accepted': route({
      before: unmatched,
      act: ({ payment, transferId }) => done(server('POST', path(payment, '/accept'), { transferId })),
      tables: ['quotes', 'payment_transfers', 'payments'],
      actor: asServer,
    }),
    'refund.created': route({
      before: () => refunds.paid(),
      act: (payment) => done(server('POST', path(payment, '/refunds'), { amount: 500 })),
      tables: ['refunds'],
      actor: asServer,
    }),
    'refund.address_set': route({
      before: async () => refunds.create(await refunds.paid()),
      // The customer's own route.
      act: ({ claimUrl }: RefundDto) => {
        const { pathname, search } = new URL(claimUrl ?? '');
        const claim = `/api/checkout/refund/${pathname.split('/').at(-1)}${search}`;
        return done(shop.call('POST', claim, null, { address: CUSTOMER }));
      },
      tables: ['refunds'],
      actor: () => 'customer',
    }),
    'refund.transaction_recorded': route({
      before: async () => refunds.create(await refunds.paid(), { address: CUSTOMER }),
      act: (refund) => done(refunds.complete(refund, `0x${'ab'.repeat(32)}`)),
      tables: ['refunds'],
      actor: asServer,
    }),
    'refund.cancelled': route({
      before: async () => refunds.create(await refunds.paid()),
      act: ({ id, paymentId }) => done(server('POST', path({ id: paymentId }, `/refunds/${id}/cancel`))),
      tables: ['refunds'],
      actor: asServer,
    }),
    'delivery.redelivered': route({
      before: async () => {
        const list = await owner('GET', `/${application.id}/webhook-deliveries?per_page=1`);
        return (list.body.data as unknown as { id: string }[])[0]?.id ?? '';
      },
      act: (id) => done(owner('POST', `/${application.id}/webhook-deliveries/${id}/redeliver`)),
      tables: ['webhook_deliveries'],
      actor: asOwner,
    }),
    'deliveries.replayed': route({
      // One that failed, and waits for its next try.
      before: async () => {
        shop.merchant.plan({ status: 500 });
        const payment = await shop.createPayment(application);
        await shop.send(await shop.instructions(payment));
        await shop.mine(CONFIRMATIONS);
        await shop.settle();
      },
      act: () =>
        done(
          owner('POST', `/${application.id}/webhook-deliveries/replay`, { since: '2020-01-01T00:00:00Z' }),
        ),
      tables: ['webhook_deliveries'],
      actor: asOwner,
    }),
    'endpoint.paused': route({
      before: async () => {
        const payment = await shop.createPayment(application);
        await shop.send(await shop.instructions(payment));
        await shop.chain.mine(CONFIRMATIONS);
        await shop.watch();
      },
      act: async () => {
        shop.merchant.always({ status: 410 });
        await shop.settle();
        if ((await shop.gateway.sql.query('select 1 from webhook_endpoints')).length === 0)
          throw new Error('not paused');
      },
      tables: ['webhook_endpoints', 'webhook_attempts'],
      actor: () => 'system',
      details: expect.objectContaining({ reason: 'gone' }) as unknown as Record<string, unknown>,
    }),
    'endpoint.resumed': route({
      act: () => done(owner('POST', `/${application.id}/webhook-endpoint/resume`)),
      tables: ['webhook_endpoints'],
      actor: asOwner,
    }),
    'wallets.skipped': route({
      act: () => cli(['after-restore', '--skip', '5']),
      tables: ['wallets', 'event_feed'],
      actor: asOperator,
      details: expect.objectContaining({ by: 5 }) as unknown as Record<string, unknown>,
    }),
    ...auditedRecords(shop, application, cli),
    // The last one: the running gateway does not know the new key.
    'secrets.resealed': route({
      act: () => cli(['reseal-secrets'], `${NEW_KEY},${OLD_KEY}`),
      tables: ['payment_applications'],
      actor: asOperator,
    }),
  };
}
