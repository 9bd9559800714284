import { createClientToken } from '../support/client-tokens.js';
import { createOwner } from '../support/principals.js';
import { type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';
import type { Pools } from './pools.js';

/** What the fuzzed gateway knows at the start: payments in every status, tokens of every kind, two tenants. */
export interface FuzzHarness {
  baseUrl: string;
  databaseUrl: string;
  pools: Pools;
}

/** Opens a shop on a real chain and fills it. Its loops stand still; everything else is the real gateway. */
export async function openFuzzHarness(): Promise<{ shop: Shop; harness: FuzzHarness }> {
  const shop = await Shop.open();
  const applications = [
    await shop.application(),
    await shop.application({ name: 'Without a webhook', callbackUrl: null }),
    await shop.application({ name: 'Strict', allowOverpay: false }),
  ];
  const payments = await makePayments(shop, applications[0]!);
  const refunds = await makeRefunds(shop, applications[0]!, payments);
  const deliveries = await idsOf(shop, `/api/payment-applications/${applications[0]!.id}/webhook-deliveries`);
  const tokens = await idsOf(shop, `/api/payment-applications/${applications[0]!.id}/client-tokens`);
  const pools: Pools = {
    application: applications.map(({ id }) => id),
    clientId: applications.map(({ clientId }) => clientId),
    site: applications.map(({ site }) => site.id),
    payment: payments.map(({ id }) => id),
    expires: payments.map((payment) => parameterOf(payment.checkoutUrl, 'expires')),
    signature: payments.map((payment) => parameterOf(payment.checkoutUrl, 'signature')),
    delivery: deliveries,
    token: tokens.slice(1),
    refund: refunds.map(({ id }) => id),
    claim_expires: refunds.map((refund) => parameterOf(refund.claimUrl, 'expires')),
    claim_signature: refunds.map((refund) => parameterOf(refund.claimUrl, 'signature')),
    bearer: await makeBearers(shop, applications[0]!),
  };
  return { shop, harness: { baseUrl: shop.gateway.baseUrl, databaseUrl: shop.gateway.databaseUrl, pools } };
}

function parameterOf(url: string, name: string): string {
  return new URL(url).searchParams.get(name) ?? '';
}

/** Of every payment that got funds: a small one without an address, so that there is a rest to give back. */
async function makeRefunds(
  shop: Shop,
  application: ShopApplication,
  payments: readonly CreatedPayment[],
): Promise<{ id: string; claimUrl: string }[]> {
  const refunds: { id: string; claimUrl: string }[] = [];
  for (const payment of payments) {
    const path = `/api/payment/${payment.id}/refunds`;
    const fields = { amount: 100 };
    const answer = await shop.call<{ id: string; claimUrl: string }>(
      'POST',
      path,
      application.clientToken,
      fields,
    );
    if (answer.status === 201) refunds.push(answer.body.data);
  }
  return refunds;
}

/** One payment for each way that a payment can go. */
async function makePayments(shop: Shop, application: ShopApplication): Promise<CreatedPayment[]> {
  const open = await shop.createPayment(application);
  const quoted = await shop.createPayment(application, { currencyCode: 'ETH', amount: 10n ** 18n });
  const paid = await shop.createPayment(application);
  const short = await shop.createPayment(application);
  const cancelled = await shop.createPayment(application);
  await shop.call('POST', `/api/payment/${cancelled.id}/cancel`, application.clientToken, {});
  await shop.instructions(quoted);
  await shop.send(await shop.instructions(paid, 'usdt'));
  const asked = await shop.instructions(short);
  await shop.send(asked, BigInt(asked.amount.amount) / 2n);
  await shop.mine(20);
  const found = await shop.createPayment(application);
  await shop.send(await shop.instructions(found));
  await shop.mine();
  return [open, quoted, paid, short, cancelled, found];
}

/** The first one is the owner's; the others have fewer rights, belong to another user, or are no longer valid. */
async function makeBearers(shop: Shop, application: ShopApplication): Promise<string[]> {
  const { gateway, owner } = shop;
  const token = (scopes: string[]) => createClientToken(gateway, owner, application.id, { scopes });
  const revoked = await token(['*']);
  await shop.call(
    'DELETE',
    `/api/payment-applications/${application.id}/client-tokens/${revoked.id}`,
    owner.accessToken,
  );
  const stranger = await createOwner(gateway);
  return [
    owner.accessToken,
    application.clientToken,
    (await token(['payments.create'])).token,
    (await token(['payments.get'])).token,
    stranger.accessToken,
    revoked.token,
    'garbage',
  ];
}

async function idsOf(shop: Shop, path: string): Promise<string[]> {
  const answer = await shop.call<{ id: string }[]>('GET', path, shop.owner.accessToken);
  return answer.body.data.map(({ id }) => id);
}
