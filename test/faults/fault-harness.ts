import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HDKey } from '@scure/bip32';
import { startRatesStub, type RatesStub } from '../../src/demo/rates-stub.js';
import { startAnvil, type TestChain } from '../support/anvil.js';
import { type MerchantClient, provisionMerchant, runCli } from '../support/built-cli.js';
import { freePort } from '../support/free-port.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { productionEnv } from '../support/production-env.js';
import { MerchantEndpoint } from './merchant-endpoint.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What stands around the gateways and is never at fault: a chain, rates, a merchant. */
export class FaultHarness {
  private readonly programs: GatewayProcess[] = [];

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
      ...productionEnv(databaseUrl, this.rates.url),
      NODE_EXTRA_CA_CERTS: path.join(this.folder, 'merchant.pem'),
      CHAIN_POLL_INTERVAL_MS: '200',
      CHAIN_ETHEREUM_RPC_URL: this.chain.url,
      CHAIN_ETHEREUM_CHAIN_ID: String(this.chain.chainId),
      CHAIN_ETHEREUM_CONFIRMATIONS: '2',
      WALLET_EVM_XPUB: this.xpub,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
      WEBHOOK_RETRY_SCHEDULE: '0,1,2,4,8,16,32,64',
      ...more,
    };
  }

  /** {@link provisionMerchant} */
  provision(databaseUrl: string, email?: string): Promise<MerchantClient> {
    return provisionMerchant(ROOT, this.env(databaseUrl), email);
  }

  /** A gateway on a port of its own, ready to answer. @param root folder of another build */
  async gateway(
    name: string,
    databaseUrl: string,
    more: Record<string, string> = {},
    root = ROOT,
  ): Promise<{ program: GatewayProcess; baseUrl: string }> {
    const port = more['PORT'] ?? String(await freePort());
    const env = this.env(databaseUrl, { ...more, PORT: port });
    const program = await GatewayProcess.start(env, path.join(this.folder, `${name}.log`), root);
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
