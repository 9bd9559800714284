import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { ChainWatcherService } from '../../src/chain-watcher/chain-watcher.service.js';
import { evmAddressOfPublicKey, toChecksumAddress } from '../../src/chains/evm/evm-address.pure.js';
import type { CollectionContract } from '../../src/collections/collection.contract.js';
import type { SignedFile } from '../../sdk/src/collect/signed-file.pure.js';
import { type Deployed, type Hex, startAnvil, type TestChain } from './anvil.js';
import { askMany, balanceCall } from './collecting.js';
import { CollectPrograms, type Ended } from './collect-programs.js';
import { OddToken } from './contracts/collecting/artifacts.js';
import { installMulticall3 } from './multicall3.js';
import { RpcProxy } from './rpc-proxy.js';
import { Shop, type ShopApplication } from './shop.js';

/** A shop with an extended public key, tokens of two habits, and the programs of the merchant who has the words. */
export class CollectStage {
  private constructor(
    readonly account: HDKey,
    readonly bsc: TestChain,
    readonly usdc: Hex,
    readonly usdt: Deployed<typeof OddToken.abi>,
    readonly proxy: RpcProxy,
    readonly programs: CollectPrograms,
    readonly shop: Shop,
    readonly application: ShopApplication,
  ) {}

  static async open(phrase: string): Promise<CollectStage> {
    const account = HDKey.fromMasterSeed(mnemonicToSeedSync(phrase)).derive("m/44'/60'/0'");
    const bsc = await startAnvil({ chainId: 56 });
    await installMulticall3(bsc);
    const { address: usdc } = await bsc.deployToken('USDC');
    const usdt = await bsc.deploy(OddToken);
    const proxy = await RpcProxy.start(bsc.url);
    const programs = await CollectPrograms.build();
    const shop = await Shop.open({
      CHAIN_BSC_RPC_URL: proxy.url,
      CHAIN_BSC_TOKENS: `USDC:${usdc}:6,USDT:${usdt.address}:6`,
    });
    shop.rates.setPrice('BNB', 'USD', '500');
    const application = await shop.application();
    const wallet = `/api/payment-applications/${application.id}/wallets/evm`;
    const body = { extendedPublicKey: account.publicExtendedKey };
    const answer = await shop.call('PUT', wallet, shop.owner.accessToken, body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return new CollectStage(account, bsc, usdc, usdt, proxy, programs, shop, application);
  }

  async close(): Promise<void> {
    await this.shop.close();
    await this.proxy.stop();
    await this.bsc.stop();
    await this.programs.remove();
  }

  async watch(): Promise<void> {
    await this.bsc.mine(20);
    await this.shop.gateway.get(ChainWatcherService).drain('bsc');
  }

  async collect(): Promise<CollectionContract> {
    const path = `/api/payment-applications/${this.application.id}/collections`;
    const { accessToken } = this.shop.owner;
    const answer = await this.shop.call<CollectionContract>('POST', path, accessToken, { blockchain: 'bsc' });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  }

  /** Also where the programs find it. */
  async onlyPlan(): Promise<CollectionContract['plans'][number]> {
    const { plans } = await this.collect();
    const [plan] = plans;
    if (!plan || plans.length > 1) throw new Error('there is not one plan');
    writeFileSync(path.join(this.programs.work, 'plan.json'), JSON.stringify(plan));
    return plan;
  }

  sign(args: readonly string[], lines: readonly string[]): Promise<Ended> {
    return this.programs.run('collect-sign', ['--plan', 'plan.json', ...args], lines);
  }

  readFile(name: string): SignedFile {
    return JSON.parse(readFileSync(path.join(this.programs.work, name), 'utf8')) as SignedFile;
  }

  /** What is on some addresses: coin, USDC, USDT. */
  async sums(who: readonly Hex[]): Promise<bigint[]> {
    const coins = await Promise.all(who.map((one) => this.bsc.balance(one)));
    const ofToken = (token: Hex) =>
      askMany(
        this.bsc,
        who.map((one) => balanceCall(token, one)),
      );
    return [coins, await ofToken(this.usdc), await ofToken(this.usdt.address)].map((some) =>
      some.reduce((sum, amount) => sum + amount, 0n),
    );
  }

  /** A receiving address of the account. */
  addressAt(index: number): string {
    return addressOf(this.account.deriveChild(0).deriveChild(index));
  }

  /** The account that pays the fees. */
  get fees(): Hex {
    return addressOf(this.account.deriveChild(1).deriveChild(0));
  }
}

function addressOf({ publicKey }: HDKey): Hex {
  if (!publicKey) throw new Error('no key');
  return toChecksumAddress(evmAddressOfPublicKey(publicKey)) as Hex;
}

/** With one letter of the other case. */
export function flipped(address: string): string {
  const place = address.slice(2).search(/[a-f]/i) + 2;
  const letter = address.charAt(place);
  const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
  return `${address.slice(0, place)}${other}${address.slice(place + 1)}`;
}
