import { mkdir, realpath } from 'node:fs/promises';
import { lockDataDir } from './data-dir-lock.js';
import { DemoError } from './demo-error.js';
import type { DemoLogger } from './demo-logger.js';
import { provideSecrets } from './demo-secrets.js';
import { type DevChain, startDevChain } from './dev-chain.js';
import { DEV_TOKEN_DECIMALS, type DevTokens } from './dev-chain-tokens.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';
import { type RatesStub, startRatesStub } from './rates-stub.js';

export interface DemoEnvironmentOptions {
  /** DATA_DIR: everything that survives a restart. */
  dataDir: string;
  /** ANVIL_BIN: the program to run instead of the npm package's. */
  anvilBin?: string;
  logger: DemoLogger;
}

/** What the development profile runs on. */
export interface DemoEnvironment {
  /** Overrides for the configuration. */
  env: Record<string, string>;
  facts: {
    /** Absolute, without symbolic links. */
    dataDir: string;
    databaseUrl: string;
    ratesUrl: string;
    chains: { ethereum: { rpcUrl: string; chainId: number; tokens: DevTokens } };
    /** What a killed gateway had left running. */
    adopted: { postgres: boolean; chain: boolean };
    pids: { postgres: number; chain: number };
  };
  /** Stops all of it, saves the chain's state, and lets the next gateway have the data directory. */
  stop(): Promise<void>;
}

/**
 * Starts, or adopts, everything a gateway needs on one machine: Postgres, a chain with two tokens, exchange
 * rates, and keys of its own.
 */
export async function startDemoEnvironment(options: DemoEnvironmentOptions): Promise<DemoEnvironment> {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const { anvilBin, logger } = options;
  const lock = await lockDataDir(dataDir);
  try {
    const secrets = await provideSecrets(dataDir);
    const [postgres, chain, rates] = await startAll([
      startEmbeddedPostgres({ dataDir, durable: true, logger }),
      startDevChain({ dataDir, logger, ...(anvilBin !== undefined && { anvilBin }) }),
      startRatesStub(),
    ]);
    return {
      env: { ...secrets, ...environmentOf(postgres, chain, rates) },
      facts: factsOf(dataDir, postgres, chain, rates),
      stop: async () => {
        try {
          await stopAll([postgres, chain, rates]);
        } finally {
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function environmentOf(
  postgres: EmbeddedPostgres,
  chain: DevChain,
  rates: RatesStub,
): Record<string, string> {
  const tokens = Object.entries(chain.tokens).map(
    ([code, contract]) => `${code}:${String(contract)}:${DEV_TOKEN_DECIMALS}`,
  );
  return {
    DATABASE_URL: postgres.url,
    CHAIN_ETHEREUM_RPC_URL: chain.rpcUrl,
    CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
    CHAIN_ETHEREUM_TOKENS: tokens.join(','),
    RATES_KRAKEN_URL: `${rates.url}/kraken`,
    RATES_COINBASE_URL: `${rates.url}/coinbase`,
  };
}

function factsOf(
  dataDir: string,
  postgres: EmbeddedPostgres,
  { rpcUrl, chainId, tokens, ...chain }: DevChain,
  rates: RatesStub,
): DemoEnvironment['facts'] {
  return {
    dataDir,
    databaseUrl: postgres.url,
    ratesUrl: rates.url,
    chains: { ethereum: { rpcUrl, chainId, tokens } },
    adopted: { postgres: postgres.adopted, chain: chain.adopted },
    pids: { postgres: postgres.pid, chain: chain.pid },
  };
}

interface Stoppable {
  stop(): Promise<void>;
}

/** Waits for all; when one fails, the others are stopped again. */
async function startAll<T extends Stoppable[]>(
  starting: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const outcomes = await Promise.allSettled(starting as readonly Promise<Stoppable>[]);
  const started = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
  if (failures.length === 0) return started as T;
  await stopAll(started);
  throw failures.length === 1
    ? failures[0]?.reason
    : new DemoError(failures.map(({ reason }) => messageOf(reason)).join('\n'));
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** Stops all, even when one of them fails to stop. */
async function stopAll(running: readonly Stoppable[]): Promise<void> {
  const outcomes = await Promise.allSettled(running.map((one) => one.stop()));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
}
