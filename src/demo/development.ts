import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { assertCanListen } from '../platform/web/http/listen-address.js';
import { type Config, loadListenAddress } from '../config.js';
import { startDemoEnvironment } from './demo-environment.js';
import type { DemoLogger } from './demo-logger.js';
import type { DevLitecoin } from './dev-litecoin.js';
import { dataDirOf, removeRunningEnvironment, writeRunningEnvironment } from './running-environment.js';
import type { ShopSite } from './shop/shop-site.js';
import { printProgress } from './start-progress.js';

/**
 * Account key m/44'/60'/0' of the well-known BIP39 test words "abandon … about", whose funds anyone can spend: only for
 * play money. It is the wallet of the demo user's applications that have not set their own.
 */
const DEMO_EVM_XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt';

/** The same words on Bitcoin's test networks, m/84'/1'/0'. */
const DEMO_BITCOIN_XPUB =
  'vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc';

/** The next account, m/84'/1'/1': bitcoin and litecoin are one chain here, and must not share an output script. */
const DEMO_LITECOIN_XPUB =
  'vpub5Y6cjg78GGuNQePrLecqwMCGL7x8YYGFKqN5LCciiMAuXWPjwsX9pvXhqKJdkzDeoE9xvFGM1j6cVLPqHEVDK5idBAye5LzWyqxjXcen358';

/** Services beside the gateway, and the summary that is printed once it responds. */
export async function startDevelopment(environment: NodeJS.ProcessEnv): Promise<{
  env: NodeJS.ProcessEnv;
  announce(config: Config, app: NestExpressApplication): Promise<void>;
  stop(): Promise<void>;
}> {
  const dataDir = dataDirOf(environment);
  const address = loadListenAddress(environment);
  const factsFile = path.join(dataDir, 'demo.json');
  const logger: DemoLogger = {
    info: () => {},
    warn: (message) => process.stderr.write(`${message}\n`),
  };
  const progress = printProgress((text) => process.stdout.write(text));
  const demo = await startDemoEnvironment({
    dataDir,
    precondition: async () => {
      // The file of an earlier start is outdated. It is removed only now that the directory is locked: before, it could
      // belong to a running gateway.
      await rm(factsFile, { force: true });
      await assertCanListen(address);
    },
    withLitecoin: true,
    logger,
    progress,
    ...(environment['ANVIL_BIN'] && { anvilBin: environment['ANVIL_BIN'] }),
  });
  const { litecoin } = demo;
  // The caller's environment has precedence, so that single services can be replaced.
  const env = {
    LOG_LEVEL: 'warn',
    WALLET_EVM_XPUB: DEMO_EVM_XPUB,
    // The demo's user is one; an account that is created beside it sets wallets of its own.
    WALLET_XPUB_ACCOUNTS: 'operators',
    ...demo.env,
    ...environmentOf(litecoin),
    // The owner of the schema belongs to the database that is used.
    ...(environment['DATABASE_URL'] && { DATABASE_MIGRATION_URL: undefined }),
    ...withoutEmpty(environment),
  };
  let shopSite: ShopSite | null = null;
  let gatewayIsUp = () => {};
  void progress('Gateway', new Promise<void>((resolve) => (gatewayIsUp = resolve)));
  return {
    env,
    announce: async (config, app) => {
      gatewayIsUp();
      await writeRunningEnvironment(demo.facts.dataDir, env);
      // It needs the gateway, which is still being loaded when this file starts the services.
      const { openShop } = await import('./shop/open-shop.js');
      shopSite = await openShop(demo, factsFile, config, app);
    },
    stop: async () => {
      await rm(factsFile, { force: true });
      await removeRunningEnvironment(demo.facts.dataDir);
      try {
        await shopSite?.stop();
      } finally {
        await demo.stop();
      }
    },
  };
}

/** One node serves both chains; only the address formats differ. */
function environmentOf(litecoin: DevLitecoin | null): Record<string, string> {
  if (!litecoin) return {};
  return {
    CHAIN_BITCOIN_RPC_URL: litecoin.rpcUrl,
    CHAIN_BITCOIN_NETWORK: 'regtest',
    WALLET_BITCOIN_XPUB: DEMO_BITCOIN_XPUB,
    CHAIN_LITECOIN_RPC_URL: litecoin.rpcUrl,
    CHAIN_LITECOIN_NETWORK: 'regtest',
    WALLET_LITECOIN_XPUB: DEMO_LITECOIN_XPUB,
  };
}

function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
}
