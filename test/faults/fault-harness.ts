import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { HDKey } from '@scure/bip32';
import { startRatesStub, type RatesStub } from '../../src/demo/rates-stub.js';
import { runCli } from '../chain-fuzz/deployment.js';
import { startAnvil, type TestChain } from '../support/anvil.js';
import { MerchantEndpoint } from './merchant-endpoint.js';
import { Program } from './program.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const UNLIMITED = ['READS', 'WRITES', 'PAYMENT', 'ADDRESS', 'TOKEN_ENDPOINT', 'FAILED_AUTH', 'SIGN_IN'];

/** What stands around the gateways and is never at fault: a chain, rates, a merchant. */
export class FaultHarness {
  private readonly programs: Program[] = [];

  private constructor(
    /** For logs and certificates. */
    readonly folder: string,
    readonly chain: TestChain,
    readonly rates: RatesStub,
    readonly merchant: MerchantEndpoint,
    private readonly xpub: string,
  ) {}

  static async open(folder: string): Promise<FaultHarness> {
    const [chain, rates, merchant] = await Promise.all([
      startAnvil({ blockTime: 1 }),
      startRatesStub(),
      MerchantEndpoint.start(),
    ]);
    await writeFile(path.join(folder, 'merchant.pem'), merchant.certificate);
    const { publicExtendedKey } = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");
    return new FaultHarness(folder, chain, rates, merchant, publicExtendedKey);
  }

  /** The production profile on loopback, in a hurry. */
  env(databaseUrl: string, more: Record<string, string> = {}): Record<string, string> {
    return {
      NODE_ENV: 'production',
      NODE_EXTRA_CA_CERTS: path.join(this.folder, 'merchant.pem'),
      HOST: '127.0.0.1',
      PORT: '0',
      BASE_URL: 'https://gateway.test',
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: '6',
      APP_KEYS: `f1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`,
      CHECKOUT_SIGNING_KEY: 'faults-checkout-signing-key-with-enough-length',
      CHAIN_POLL_INTERVAL_MS: '200',
      CHAIN_STALL_BLOCKS: '0',
      CHAIN_ETHEREUM_RPC_URL: this.chain.url,
      CHAIN_ETHEREUM_CHAIN_ID: String(this.chain.chainId),
      CHAIN_ETHEREUM_CONFIRMATIONS: '2',
      WALLET_EVM_XPUB: this.xpub,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
      WEBHOOK_RETRY_SCHEDULE: '0,1,2,4,8,16,32,64',
      RATES_KRAKEN_URL: `${this.rates.url}/kraken`,
      RATES_COINBASE_URL: `${this.rates.url}/coinbase`,
      ...Object.fromEntries(UNLIMITED.map((name) => [`RATE_LIMIT_${name}`, '0'])),
      ...more,
    };
  }

  /** A merchant's OAuth client, made with the command line; brings the schema, too. */
  async provision(databaseUrl: string): Promise<{ clientId: string; secret: string }> {
    const env = this.env(databaseUrl);
    const email = 'merchant@example.test';
    await runCli(ROOT, env, ['create-user', '--email', email]);
    const told = await runCli(ROOT, env, ['create-oauth-client', '--name', 'Shop', '--user', email]);
    const [, clientId, secret] = /client id: +(\S+)[\s\S]*client secret: +(\S+)/.exec(told) ?? [];
    if (!clientId || !secret) throw new Error(`no client in:\n${told}`);
    return { clientId, secret };
  }

  /** A gateway on a port of its own, ready to answer. */
  async gateway(
    name: string,
    databaseUrl: string,
    more: Record<string, string> = {},
  ): Promise<{ program: Program; baseUrl: string }> {
    const port = more['PORT'] ?? String(await freePort());
    const env = this.env(databaseUrl, { ...more, PORT: port });
    const program = await Program.gateway(env, path.join(this.folder, `${name}.log`));
    this.programs.push(program);
    const baseUrl = `http://127.0.0.1:${port}`;
    await program.ready(baseUrl);
    return { program, baseUrl };
  }

  /** @returns what it printed @throws Error unless it exits with 0 */
  verify(databaseUrl: string): Promise<string> {
    return runCli(ROOT, this.env(databaseUrl), ['verify']);
  }

  async close(): Promise<void> {
    await Promise.all(this.programs.map((program) => program.kill()));
    await Promise.all([this.chain.stop(), this.rates.stop(), this.merchant.stop()]);
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
