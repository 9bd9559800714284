import type { Browser, Page } from 'playwright-core';
import { MembersService } from '../../src/identity/oauth/people/members.service.js';
import type { InvitedRole } from '../../src/platform/kernel/account-roles.pure.js';
import { describeInBrowser, launchChromium } from '../support/chromium.js';
import { createMerchant, openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { Traffic } from '../support/page-traffic.js';
import { CUSTOMER, RefundsApi } from '../support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';
import { newAccount } from '../support/wallets-api.js';

let shop: Shop;
let application: ShopApplication;
let quiet: ShopApplication;
let payments: Record<'open' | 'short' | 'over' | 'stray' | 'paid' | 'undelivered', CreatedPayment>;
let deliveryId: string;

/** Whatever can be used: a button or a field that is shown and not disabled. */
const CONTROLS = 'button, input, select, textarea, a[data-kind]';

interface OneScreen {
  name: string;
  address: () => string;
  /** What the owner is offered and others are not. */
  notFor: Record<InvitedRole, readonly string[]>;
}

const OF_WALLETS = [
  'Add a wallet',
  'I compared these with my wallet',
  'Remove Ethereum',
  'Replace the wallet of Ethereum',
];

/**
 * Every screen of an account, in states that offer something to change. The one of the user's own sign-in is left out:
 * it ignores the account (specification/authentication.md#members).
 */
const SCREENS: readonly OneScreen[] = [
  { name: 'payments', address: () => '/payments', notFor: { developer: [], viewer: ['New payment link'] } },
  {
    name: 'a filtered list of payments',
    address: () => '/payments?status=UNDERPAID',
    notFor: { developer: [], viewer: ['New payment link'] },
  },
  {
    name: 'an open payment',
    address: () => `/payments/${payments.open.id}`,
    notFor: { developer: [], viewer: ['Cancel payment', 'Copy payment link'] },
  },
  {
    name: 'an underpaid payment',
    address: () => `/payments/${payments.short.id}`,
    notFor: {
      developer: [],
      // All that came is promised by the refund: nobody is offered another, nor to accept it.
      viewer: ['Cancel refund', 'Copy link for the customer', 'Copy payment link'],
    },
  },
  {
    name: 'an overpaid payment',
    address: () => `/payments/${payments.over.id}`,
    notFor: { developer: [], viewer: ['Keep it', 'Refund…'] },
  },
  {
    name: 'a wrongly paid payment',
    address: () => `/payments/${payments.stray.id}`,
    notFor: { developer: [], viewer: ['Accept this transfer', 'Refund…'] },
  },
  {
    name: 'a paid payment',
    address: () => `/payments/${payments.paid.id}`,
    notFor: { developer: [], viewer: ['Cancel refund', 'I have paid it'] },
  },
  {
    name: 'a payment with a failed webhook',
    address: () => `/payments/${payments.undelivered.id}`,
    notFor: { developer: [], viewer: ['Accept as paid', 'Refund…', 'Send the webhook again'] },
  },
  {
    name: 'attention',
    address: () => '/attention',
    notFor: {
      developer: [],
      viewer: [
        'Accept this transfer',
        'Cancel refund',
        'I have paid it',
        'Keep it',
        'Refund…',
        'Resume',
        'Send the webhook again',
        'The shop knows',
      ],
    },
  },
  {
    name: 'refunds',
    address: () => '/refunds',
    notFor: {
      developer: [],
      viewer: ['Cancel refund', 'Copy link for the customer', 'I have paid it', 'Pay together with others'],
    },
  },
  {
    name: 'applications',
    address: () => '/applications',
    notFor: { developer: [], viewer: ['Create application'] },
  },
  {
    name: 'the form of a new application',
    address: () => '/applications?new=true',
    notFor: { developer: [], viewer: ['Create application'] },
  },
  {
    name: 'general of an application',
    address: () => `/applications/${application.id}/general`,
    notFor: {
      developer: ['Delete application'],
      viewer: [
        'Accept less than the price',
        'Accept more than the price',
        'Delete application',
        'Name',
        'Save',
        'Shortfall that counts as paid, in %',
        'Webhook URL',
        'Website',
      ],
    },
  },
  {
    name: 'branding of an application',
    address: () => `/applications/${application.id}/branding`,
    notFor: {
      developer: [],
      viewer: [
        'Accent color',
        'Language of the checkout',
        'PNG or SVG, at most 64 KB. It is saved at once.',
        'Save',
        'Support address',
      ],
    },
  },
  {
    name: 'methods of an application',
    address: () => `/applications/${application.id}/methods`,
    notFor: {
      developer: [],
      viewer: ['Ether ETH', 'Ethereum (usually 12)', 'Save', 'Tether USD USDT', 'USD Coin USDC'],
    },
  },
  {
    name: 'wallets of an application',
    address: () => `/applications/${application.id}/wallets`,
    notFor: { developer: OF_WALLETS, viewer: OF_WALLETS },
  },
  {
    name: 'default wallets',
    address: () => '/wallets',
    notFor: { developer: ['Add a wallet'], viewer: ['Add a wallet'] },
  },
  {
    name: 'events of an application',
    address: () => `/applications/${application.id}/events`,
    notFor: {
      developer: [],
      viewer: [
        'Save',
        'payment.cancelled you cancelled a payment',
        'payment.expired a link expired unpaid',
        'payment.found money was seen, not confirmed yet',
        'payment.refund_requested a customer asked for money back',
        'payment.updated sums changed after the other events, such as money after a cancellation',
        'wallet.changed a wallet was changed',
      ],
    },
  },
  {
    name: 'secret of an application',
    address: () => `/applications/${application.id}/secret`,
    notFor: { developer: [], viewer: ['Make a new secret'] },
  },
  {
    name: 'tokens of an application',
    address: () => `/applications/${application.id}/tokens`,
    notFor: { developer: [], viewer: ['Create API Access Token', 'Revoke Server'] },
  },
  {
    name: 'tokens',
    address: () => `/tokens?application=${application.id}`,
    notFor: { developer: [], viewer: ['Create API Access Token', 'Revoke Server'] },
  },
  {
    name: 'webhooks',
    address: () => `/webhooks?application=${application.id}`,
    notFor: { developer: [], viewer: ['Event', 'Pause', 'Send a test event', 'Send again', 'Since'] },
  },
  {
    name: 'a paused endpoint',
    address: () => `/webhooks?application=${quiet.id}`,
    notFor: { developer: [], viewer: ['Event', 'Resume', 'Send a test event', 'Send again', 'Since'] },
  },
  { name: 'deliveries', address: () => '/webhooks/deliveries', notFor: { developer: [], viewer: [] } },
  {
    name: 'a delivery',
    address: () => `/webhooks/deliveries/${deliveryId}`,
    notFor: { developer: [], viewer: ['Send the webhook again'] },
  },
  {
    name: 'funds',
    address: () => `/funds?application=${application.id}`,
    notFor: { developer: [], viewer: [] },
  },
  { name: 'reports', address: () => '/reports', notFor: { developer: [], viewer: [] } },
  {
    name: 'people',
    address: () => '/people',
    notFor: {
      developer: [
        'Invite someone',
        'Remove developer@example.test',
        'Remove viewer@example.test',
        'Role of developer@example.test',
        'Role of viewer@example.test',
      ],
      viewer: [
        'Invite someone',
        'Remove developer@example.test',
        'Remove viewer@example.test',
        'Role of developer@example.test',
        'Role of viewer@example.test',
      ],
    },
  },
  { name: 'audit', address: () => '/audit', notFor: { developer: [], viewer: [] } },
  { name: 'home', address: () => '', notFor: { developer: [], viewer: [] } },
];

describeInBrowser('what a member is offered', () => {
  let browser: Browser;
  const pages = {} as Record<'owner' | InvitedRole, Page>;
  const traffic = new Map<Page, Traffic>();

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    shop.merchant.choose = ({ body }) => ({ status: body.includes('UNDELIVERED-1') ? 500 : 200 });
    await plant();
    browser = await launchChromium();
    const { userId, clientId } = shop.owner;
    const owner = `${clientId}@example.test`;
    pages.owner = await open(owner, `password of ${clientId}`);
    for (const role of ['developer', 'viewer'] as const) {
      const email = `${role}@example.test`;
      const memberId = await createMerchant(shop.gateway, email);
      await shop.gateway.sql.transaction(() => shop.gateway.get(MembersService).add(userId, memberId, role));
      pages[role] = await open(email);
      await pages[role].getByLabel('Account shown').selectOption({ label: owner });
      await pages[role].getByText('You are in the account of').waitFor();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  async function open(email: string, password?: string): Promise<Page> {
    const { page } = await openDashboard(browser, shop.gateway, email, { ...(password && { password }) });
    traffic.set(page, new Traffic(page));
    return page;
  }

  /** A payment in every state with a remedy, an endpoint that fails and one that is paused, a wallet and a token. */
  async function plant(): Promise<void> {
    application = await shop.application({ name: 'Harbor Coffee' });
    quiet = await shop.application({ name: 'Silent' });
    const token = shop.owner.accessToken;
    const of = (id: string) => `/api/payment-applications/${id}`;
    await shop.call('PUT', `${of(application.id)}/wallets/evm`, token, {
      extendedPublicKey: newAccount().publicExtendedKey,
    });
    const order = (reference: string, at = application) => shop.createPayment(at, { reference });
    payments = {
      open: await order('OPEN-1'),
      short: await order('SHORT-1'),
      over: await order('OVER-1'),
      stray: await order('STRAY-1'),
      paid: await order('PAID-1'),
      undelivered: await order('UNDELIVERED-1', quiet),
    };
    const usdc = (name: keyof typeof payments) => shop.instructions(payments[name], 'usdc');
    await shop.send(await usdc('short'), 40_000_000n);
    await shop.send(await usdc('over'), 160_000_000n);
    const { address } = await usdc('stray');
    await shop.chain.sendToken({
      token: shop.tokens.USDT,
      to: address as `0x${string}`,
      value: 100_000_000n,
    });
    await shop.send(await usdc('paid'));
    await shop.send(await usdc('undelivered'));
    await shop.mine(CONFIRMATIONS + 1);
    const refunds = new RefundsApi(shop, application);
    await refunds.create(payments.paid, { address: CUSTOMER });
    await refunds.create(payments.short);
    const sent = await shop.call<{ id: string }[]>('GET', `${of(quiet.id)}/webhook-deliveries`, token);
    deliveryId = sent.body.data[0]?.id ?? '';
    await shop.call('POST', `${of(quiet.id)}/webhook-endpoint/pause`, token, {});
  }

  async function show(page: Page, address: string): Promise<void> {
    const account = page === pages.owner ? '' : `/accounts/${shop.owner.userId}`;
    await page.goto(`${shop.gateway.baseUrl}/dashboard${account}${address}`);
    await page.locator('h1').waitFor();
    await traffic.get(page)?.calm();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  }

  /** The names of what can be used in an area of the page, each once. */
  async function controls(page: Page, area = 'main'): Promise<string[]> {
    const names = await page
      .locator(`${area} :is(${CONTROLS})`)
      .evaluateAll((all) =>
        (all as unknown as Shown[])
          .filter((one) => one.checkVisibility() && !one.matches(':disabled, [data-disabled]'))
          .map((one) => (one.ariaLabel ?? one.labels?.[0]?.innerText ?? one.innerText).split('\n')[0] ?? ''),
      );
    return [...new Set(names.map((name) => name.trim()))].toSorted();
  }

  it.each(SCREENS)('offers on $name what the role permits', async ({ address, notFor }) => {
    const shown = {} as Record<keyof typeof pages, string[]>;
    const look = async (role: keyof typeof pages) => {
      await show(pages[role], address());
      shown[role] = await controls(pages[role]);
    };
    await Promise.all([look('owner'), look('developer'), look('viewer')]);
    const missing = (role: InvitedRole) => shown.owner.filter((name) => !shown[role].includes(name));
    expect({ developer: missing('developer'), viewer: missing('viewer') }).toEqual(notFor);
  });

  it.each(SCREENS)('offers a viewer on $name no button that the API refuses', async ({ address }) => {
    const page = pages.viewer;
    const refused: string[] = [];
    await show(page, address());
    const note = async (action: string) => {
      for (const refusal of (await traffic.get(page)?.takeRefusals()) ?? [])
        refused.push(`${action}: ${refusal}`);
    };
    await note('opening');
    const start = page.url();
    const dialog = page.locator('[role=dialog]');
    const press = async (area: string, name: string) => {
      const button = page.locator(area).getByRole('button', { name, exact: true }).first();
      // A button before it may have changed the screen.
      if (page.url() !== start || !(await button.isVisible())) await show(page, address());
      // By the element itself: a dialog that covers it does not matter here.
      if (await button.isVisible()) await button.evaluate((one) => (one as unknown as Shown).click());
      await note(`${area}: ${name}`);
    };
    for (const name of await buttons(page, 'main')) {
      await press('main', name);
      if ((await dialog.count()) === 0) continue;
      for (const inner of await buttons(page, '[role=dialog]')) {
        if ((await dialog.count()) === 0) await press('main', name);
        await press('[role=dialog]', inner);
      }
      if ((await dialog.count()) > 0) await show(page, address());
    }
    expect(refused).toEqual([]);
  });

  it('says who may instead, accessibly', async () => {
    await show(pages.viewer, `/applications/${application.id}`);
    await pages.viewer.getByText('Only a developer or the owner of the account can do this.').waitFor();
    await pages.viewer.getByText('Only the owner of the account can do this.').waitFor();
    expect(await violations(pages.viewer)).toEqual([]);
    await show(pages.developer, `/applications/${application.id}/wallets`);
    await pages.developer.getByText('Only the owner of the account can do this.').waitFor();
  });

  async function buttons(page: Page, area: string): Promise<string[]> {
    const names = await page
      .locator(`${area} button:visible:enabled`)
      .evaluateAll((all) => (all as unknown as Shown[]).map((one) => one.ariaLabel ?? one.innerText));
    return [...new Set(names.map((name) => name.trim()))];
  }
});

/** What the test looks at of an element; it has no types of browsers. */
interface Shown {
  checkVisibility(): boolean;
  matches(selector: string): boolean;
  click(): void;
  ariaLabel: string | null;
  innerText: string;
  labels?: { innerText: string }[] | null;
}
