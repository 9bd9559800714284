import { CoffeeShop } from '../../src/demo/shop/coffee-shop.js';
import { ShopSite, WEBHOOK_PATH } from '../../src/demo/shop/shop-site.js';
import { welcomePage } from '../../src/demo/shop/welcome-page.js';
import { FrontPageService } from '../../src/openapi/front-page.service.js';
import { ownAddress } from './dashboard.js';
import { SECRET, Shop } from './shop.js';

const EVENTS = [
  'payment.received',
  'payment.completed',
  'payment.underpaid',
  'payment.refund',
  'payment.found',
];
const LIMITS = { RATE_LIMIT_ADDRESS: '5000', RATE_LIMIT_READS: '5000', RATE_LIMIT_WRITES: '5000' };

/** The coffee shop of the development profile, in front of a gateway whose loops stand still. */
export async function openDemoShop(): Promise<{ world: Shop; site: ShopSite }> {
  const world = await Shop.open({ ...(await ownAddress()), ...LIMITS });
  const { owner, chain, tokens, gateway } = world;
  const gatewayUrl = gateway.baseUrl;
  const site = await ShopSite.listen(0, gatewayUrl);
  const application = await world.application({
    name: 'Coffee shop',
    url: site.url,
    callbackUrl: `${site.url}${WEBHOOK_PATH}`,
    events: EVENTS,
  });
  const { id: applicationId, clientId, clientToken } = application;
  const facts = {
    baseUrl: gatewayUrl,
    oauth: { tokenUrl: `${gatewayUrl}/api/oauth/token`, ...owner },
    user: { email: 'demo@example.com', password: 'of the terminal' },
    chains: { ethereum: { rpcUrl: chain.url, tokens } },
    shop: { url: site.url, applicationId, clientId, clientToken, secret: SECRET },
  };
  const shop = new CoffeeShop(facts, gateway.clock);
  site.open(shop);
  gateway.get(FrontPageService).welcomeBy(welcomePage({ gatewayUrl, shopUrl: site.url }));
  return { world, site };
}
