import { randomBytes } from 'node:crypto';
import { ApplicationsApi } from '../support/applications-api.js';
import { createClientToken } from '../support/client-tokens.js';
import { createClient, createUser, fetchTokens } from '../support/oauth-api.js';
import { createOwnerWithClient, fetchAccessToken, type OwnerWithClient } from '../support/principals.js';
import { RefundsApi, type RefundDto } from '../support/refunds-api.js';
import type { CreatedPayment, Shop, ShopApplication } from '../support/shop.js';
import { TwoChains } from '../support/two-chains.js';

const HOUR_SECONDS = 3_600;
const MINUTE_MS = 60_000;

/** What the requests are made of: real objects of one gateway, of a merchant and of a stranger. */
export interface MistakesHarness {
  baseUrl: string;
  owner: OwnerWithClient;
  application: ShopApplication;
  /** The same merchant's. */
  otherApplication: ShopApplication;
  /** Takes BNB only. */
  bnbApplication: ShopApplication;
  deletedApplication: ShopApplication;
  strangersApplication: ShopApplication;
  tokens: Record<'createOnly' | 'getOnly' | 'expired' | 'revoked' | 'ofDeletedApplication', string> &
    Record<'oauthExpired' | 'withoutWallets' | 'refresh' | 'tokenId' | 'tokenPrefix', string>;
  webhookSecret: string;
  payments: Record<
    'open' | 'cancelled' | 'paid' | 'found' | 'linkEnded' | 'bnbOnly' | 'ofOther' | 'strangers',
    CreatedPayment
  >;
  refunds: Record<'open' | 'cancelled', RefundDto>;
  /** A public client of the authorization code grant. */
  publicClientId: string;
  /** An Idempotency-Key that was used for an order. */
  usedKey: string;
}

const asShopApplication = async (shop: Shop, owner: OwnerWithClient, fields: object = {}) => {
  const created = await new ApplicationsApi(shop.gateway, owner).create(fields);
  const { token } = await createClientToken(shop.gateway, owner, created.id);
  return { ...created, clientToken: token } satisfies ShopApplication;
};

/** Opens the gateway, and brings everything into the state that a mistake needs. */
export async function openMistakesHarness(): Promise<{
  harness: MistakesHarness;
  close: () => Promise<void>;
}> {
  const chains = await TwoChains.open();
  const { shop } = chains;
  const { gateway } = shop;
  const { clock } = gateway;
  const { owner } = shop;
  const stranger = await createOwnerWithClient(gateway);
  const application = await shop.application({ name: 'Coffee shop' });
  const otherApplication = await shop.application({ name: 'Tea shop' });
  const bnbApplication = await shop.application({ name: 'BNB shop', currencyWhitelist: ['BNB'] });
  const deletedApplication = await shop.application({ name: 'Closed shop' });
  const strangersApplication = await asShopApplication(shop, stranger);
  const tokenOf = async (fields: object, id = application.id) =>
    (await createClientToken(gateway, owner, id, fields)).token;

  const soon = new Date(clock.now().getTime() + MINUTE_MS).toISOString();
  const [expired, ofDeletedApplication] = [
    await tokenOf({ expiresAt: soon }),
    deletedApplication.clientToken,
  ];
  const revoked = await createClientToken(gateway, owner, application.id, { label: 'Old server' });
  const shown = await createClientToken(gateway, owner, application.id, { label: 'Shop server' });
  const oauthExpired = owner.accessToken;
  const linkEndsAt = new Date(clock.now().getTime() + 2 * MINUTE_MS).toISOString();
  const linkEnded = await shop.createPayment(application, { expiresAt: linkEndsAt });
  await shop.wait(HOUR_SECONDS + 60);
  await chains.settle();

  owner.accessToken = await fetchAccessToken(gateway, owner.clientId, owner.clientSecret);
  const withoutWallets = await fetchAccessToken(gateway, owner.clientId, owner.clientSecret, '*');
  const api = new ApplicationsApi(gateway, owner);
  const revocation = `/api/payment-applications/${application.id}/client-tokens/${revoked.id}`;
  await fetch(gateway.baseUrl + revocation, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${owner.accessToken}` },
  });
  await api.delete(deletedApplication.id);

  const refundsApi = new RefundsApi(shop, application);
  const paid = await refundsApi.paid();
  const firstRefund = await refundsApi.create(paid, { amount: 100 });
  const cancelledRefund = await refundsApi.create(paid, { amount: 200 });
  await refundsApi.post(paid, `/${cancelledRefund.id}/cancel`);
  const found = await shop.createPayment(application);
  await shop.send(await shop.instructions(found));
  await shop.mine();
  const cancelled = await shop.createPayment(application);
  await shop.call('POST', `/api/payment/${cancelled.id}/cancel`, application.clientToken);
  const usedKey = `order-${randomBytes(6).toString('hex')}`;
  await fetch(`${gateway.baseUrl}/api/payment/checkout`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${application.clientToken}`,
      'content-type': 'application/json',
      'idempotency-key': usedKey,
    },
    body: JSON.stringify(orderOf(application)),
  });

  const publicClientId = await createClient(gateway);
  const { email } = await createUser(gateway);
  const signedIn = await fetchTokens(gateway, publicClientId, email);

  const harness: MistakesHarness = {
    baseUrl: gateway.baseUrl,
    owner,
    application,
    otherApplication,
    bnbApplication,
    deletedApplication,
    strangersApplication,
    tokens: {
      createOnly: await tokenOf({ scopes: ['payments.create'] }),
      getOnly: await tokenOf({ scopes: ['payments.get'] }),
      expired,
      revoked: revoked.token,
      ofDeletedApplication,
      oauthExpired,
      withoutWallets,
      refresh: String(signedIn['refresh_token']),
      tokenId: shown.id,
      tokenPrefix: shown.tokenPrefix,
    },
    webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    payments: {
      open: await shop.createPayment(application),
      cancelled,
      paid,
      found,
      linkEnded,
      bnbOnly: await shop.createPayment(bnbApplication),
      ofOther: await shop.createPayment(otherApplication),
      strangers: await shop.createPayment(strangersApplication),
    },
    refunds: { open: firstRefund, cancelled: cancelledRefund },
    publicClientId,
    usedKey,
  };
  const close = () => chains.close();
  return { harness, close };
}

/** The body of a checkout that is right. */
export function orderOf(application: Pick<ShopApplication, 'clientId'>): Record<string, unknown> {
  return {
    amount: 2500,
    currencyCode: 'USD',
    reference: 'ORDER-1001',
    referenceLabel: 'Order #1001',
    clientId: application.clientId,
  };
}
