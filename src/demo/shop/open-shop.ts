import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../../config.js';
import { FrontPageService } from '../../openapi/front-page.service.js';
import type { DemoEnvironment } from '../demo-environment.js';
import { demoSummary } from '../demo-summary.js';
import { seedDemo } from '../seed.js';
import { writeState } from '../state-file.js';
import { CoffeeShop } from './coffee-shop.js';
import { ShopSite } from './shop-site.js';
import { welcomePage } from './welcome-page.js';

/** Opens the demo shop at a gateway that listens, writes the facts of this start and prints their summary. */
export async function openShop(
  demo: DemoEnvironment,
  factsFile: string,
  config: Config,
  app: NestExpressApplication,
): Promise<ShopSite> {
  // Beside the gateway's own port, which is what a person expects; none is above 65,535.
  const shopSite = await ShopSite.listen((config.port + 1) % 65_536, config.baseUrl);
  try {
    await announce(demo, factsFile, config, app, shopSite);
  } catch (error) {
    await shopSite.stop();
    throw error;
  }
  return shopSite;
}

async function announce(
  { facts: services, litecoin }: DemoEnvironment,
  factsFile: string,
  config: Config,
  app: NestExpressApplication,
  shopSite: ShopSite,
): Promise<void> {
  const seeded = await seedDemo(app, config, services.dataDir, shopSite.url);
  const { ratesUrl } = services;
  const chains = { ...services.chains, ...(litecoin && { litecoin: { rpcUrl: litecoin.rpcUrl } }) };
  const facts = { baseUrl: config.baseUrl, pid: process.pid, ...seeded, ratesUrl, chains };
  shopSite.open(new CoffeeShop(facts));
  app.get(FrontPageService).welcomeBy(welcomePage({ gatewayUrl: config.baseUrl, shopUrl: shopSite.url }));
  await writeState(factsFile, facts, 0o600);
  process.stdout.write(demoSummary(facts, factsFile));
}
