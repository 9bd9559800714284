import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config.js';
import { type DemoEnvironment, startDemoEnvironment } from './demo-environment.js';
import { demoSummary } from './demo-summary.js';
import { seedDemo } from './seed.js';
import { writeState } from './state-file.js';

/**
 * Account key m/44'/60'/0' of the well-known BIP39 test words "abandon … about": everybody can spend what
 * is sent here, which is right for play money. Gives every application a wallet until it sets its own.
 */
const DEMO_EVM_XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt';

/** What the development profile needs beside the gateway, and what it says once that answers. */
export async function startDevelopment(environment: NodeJS.ProcessEnv): Promise<{
  env: NodeJS.ProcessEnv;
  announce(config: Config, app: NestExpressApplication): Promise<void>;
  stop(): Promise<void>;
}> {
  const dataDir = path.resolve(environment['DATA_DIR'] || '.data');
  const factsFile = path.join(dataDir, 'demo.json');
  // What an earlier start wrote is not true until this one answers.
  await rm(factsFile, { force: true });
  const demo = await startDemoEnvironment({
    dataDir,
    logger: { info: () => {}, warn: (message) => process.stderr.write(`${message}\n`) },
    ...(environment['ANVIL_BIN'] && { anvilBin: environment['ANVIL_BIN'] }),
  });
  return {
    // What the caller sets wins, so that single parts can be replaced.
    env: { LOG_LEVEL: 'warn', WALLET_EVM_XPUB: DEMO_EVM_XPUB, ...demo.env, ...withoutEmpty(environment) },
    announce: async (config, app) => announce(demo, factsFile, config, app),
    stop: async () => {
      await rm(factsFile, { force: true });
      await demo.stop();
    },
  };
}

async function announce(
  demo: DemoEnvironment,
  factsFile: string,
  config: Config,
  app: NestExpressApplication,
): Promise<void> {
  const seeded = await seedDemo(app, config, demo.facts.dataDir);
  const { ratesUrl, chains } = demo.facts;
  const facts = { baseUrl: config.baseUrl, pid: process.pid, ...seeded, ratesUrl, chains };
  await writeState(factsFile, facts, 0o600);
  process.stdout.write(demoSummary(facts, factsFile));
}

function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
}
