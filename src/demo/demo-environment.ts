import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { lockDataDir } from './data-dir-lock.js';
import { DemoError } from './demo-error.js';
import type { DemoLogger } from './demo-logger.js';
import { provideSecrets } from './demo-secrets.js';
import { type DevChain, startDevChain } from './dev-chain.js';
import { DEV_TOKEN_DECIMALS, type DevTokens } from './dev-chain-tokens.js';
import { type DevLitecoin, startDevLitecoin } from './dev-litecoin.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';
import { silentProgress, type StartProgress } from './start-progress.js';
import { type RatesStub, startRatesStub } from './rates-stub.js';

export interface DemoEnvironmentOptions {
  /** DATA_DIR: holds everything that survives a restart. */
  dataDir: string;
  /** ANVIL_BIN: replaces the anvil of the npm package. */
  anvilBin?: string;
  /** A check that must pass before anything is started; run once the data directory is locked. */
  precondition?: () => Promise<void>;
  /** Also starts litecoind, if it is installed. */
  withLitecoin?: boolean;
  logger: DemoLogger;
  progress?: StartProgress;
}

export type DevEvmChain = keyof typeof CHAIN_IDS;
export type DevChainFacts = Pick<DevChain, 'rpcUrl' | 'chainId' | 'tokens'>;

/** Chain ids of no public network, so that signed transactions are not valid anywhere else. */
const CHAIN_IDS = { ethereum: 31_337, base: 31_338 };

/** The services of the development profile. */
export interface DemoEnvironment {
  /** Overrides for the configuration. */
  env: Record<string, string>;
  facts: {
    /** Absolute, without symbolic links. */
    dataDir: string;
    databaseUrl: string;
    ratesUrl: string;
    /** Base exists so that funds can be sent to the wrong network. */
    chains: Record<DevEvmChain, DevChainFacts>;
    /** Processes that a killed gateway left running. */
    adopted: Record<'postgres' | DevEvmChain, boolean>;
    pids: Record<'postgres' | DevEvmChain, number>;
  };
  /** Null unless it was asked for and is installed. */
  litecoin: DevLitecoin | null;
  /** Stops everything, saves the chains' state and releases the data directory. */
  stop(): Promise<void>;
}

/**
 * Starts, or adopts if still running, everything that a gateway needs on one machine: Postgres, two EVM chains with two
 * tokens each, exchange rates, and its keys.
 */
export async function startDemoEnvironment(options: DemoEnvironmentOptions): Promise<DemoEnvironment> {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const { anvilBin, logger, progress = silentProgress } = options;
  const lock = await lockDataDir(dataDir);
  try {
    await options.precondition?.();
    const secrets = await provideSecrets(dataDir);
    const chainOptions = { logger, ...(anvilBin !== undefined && { anvilBin }) };
    const [postgres, ethereum, base, rates, litecoin] = await startAll([
      progress('Postgres', startEmbeddedPostgres({ dataDir, durable: true, isSupervised: true, logger })),
      progress(
        'Ethereum development chain',
        startDevChain({ ...chainOptions, dataDir, chainId: CHAIN_IDS.ethereum }),
      ),
      progress(
        'Base development chain',
        startDevChain({ ...chainOptions, dataDir: path.join(dataDir, 'base'), chainId: CHAIN_IDS.base }),
      ),
      progress('Exchange rates', startRatesStub()),
      options.withLitecoin
        ? progress('Litecoin development chain', startDevLitecoin(dataDir, logger))
        : Promise.resolve(null),
    ]);
    const chains = { ethereum, base };
    return {
      env: { ...secrets, ...environmentOf(postgres, chains, rates) },
      facts: factsOf(dataDir, postgres, chains, rates),
      litecoin,
      stop: async () => {
        try {
          await stopAll([postgres, ethereum, base, rates, litecoin]);
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
  { ethereum, base }: Record<DevEvmChain, DevChain>,
  rates: RatesStub,
): Record<string, string> {
  return {
    DATABASE_URL: postgres.gatewayUrl,
    DATABASE_MIGRATION_URL: postgres.url,
    CHAIN_ETHEREUM_RPC_URL: ethereum.rpcUrl,
    CHAIN_ETHEREUM_CHAIN_ID: String(ethereum.chainId),
    CHAIN_ETHEREUM_TOKENS: tokenList(ethereum.tokens),
    CHAIN_BASE_RPC_URL: base.rpcUrl,
    CHAIN_BASE_CHAIN_ID: String(base.chainId),
    CHAIN_BASE_TOKENS: tokenList(base.tokens),
    RATES_KRAKEN_URL: `${rates.url}/kraken`,
    RATES_COINBASE_URL: `${rates.url}/coinbase`,
  };
}

function tokenList(tokens: DevTokens): string {
  return Object.entries(tokens)
    .map(([code, contract]) => `${code}:${String(contract)}:${DEV_TOKEN_DECIMALS}`)
    .join(',');
}

function factsOf(
  dataDir: string,
  postgres: EmbeddedPostgres,
  { ethereum, base }: Record<DevEvmChain, DevChain>,
  rates: RatesStub,
): DemoEnvironment['facts'] {
  return {
    dataDir,
    databaseUrl: postgres.url,
    ratesUrl: rates.url,
    chains: { ethereum: chainFacts(ethereum), base: chainFacts(base) },
    adopted: { postgres: postgres.adopted, ethereum: ethereum.adopted, base: base.adopted },
    pids: { postgres: postgres.pid, ethereum: ethereum.pid, base: base.pid },
  };
}

function chainFacts({ rpcUrl, chainId, tokens }: DevChain): DevChainFacts {
  return { rpcUrl, chainId, tokens };
}

interface Stoppable {
  stop(): Promise<void>;
}

/** Waits for all; if one fails, the others are stopped. */
async function startAll<T extends (Stoppable | null)[]>(
  starting: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const outcomes = await Promise.allSettled(starting as readonly Promise<Stoppable | null>[]);
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

/** Stops all, even if one of them fails to stop. */
async function stopAll(running: readonly (Stoppable | null)[]): Promise<void> {
  const outcomes = await Promise.allSettled(running.map(async (one) => one?.stop()));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
}
