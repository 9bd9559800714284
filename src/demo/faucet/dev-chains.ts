import path from 'node:path';
import type { UtxoFamily } from '../../chains/utxo/utxo-network.pure.js';
import { readState } from '../state-file.js';
import { type DevWallet, FaucetError } from './dev-wallet.js';
import { EvmDevWallet } from './evm-dev-wallet.js';
import { UtxoDevWallet } from './utxo-dev-wallet.js';

/** Chains that the litecoind of the development profile serves. */
const LITECOIND_CHAINS: readonly UtxoFamily[] = ['bitcoin', 'litecoin'];

interface ChainFacts {
  rpcUrl: string;
  /** Contracts by currency code; UTXO chains have none. */
  tokens?: Record<string, string>;
}

/** The part of `demo.json` that the faucet needs. */
export interface Facts {
  baseUrl: string;
  chains: Record<string, ChainFacts>;
}

/** The chains of the gateway that `npm start` runs, with play money on each. */
export class DevChains {
  constructor(private readonly facts: Facts) {}

  /** @throws FaucetError if no gateway of the development profile runs on this data directory */
  static async read(dataDir: string): Promise<DevChains> {
    const file = path.resolve(dataDir, 'demo.json');
    const facts = await readState(file);
    if (!facts) throw new FaucetError(`there is no ${file}: start the gateway with \`npm start\` first`);
    return new DevChains(facts as unknown as Facts);
  }

  /** Whether a link belongs to this gateway: play money must not be sent for any other. */
  isOwn(link: URL): boolean {
    return link.origin === new URL(this.facts.baseUrl).origin;
  }

  /** Null: the development profile has no such chain. @param provider slug of the chain */
  findWallet(provider: string): DevWallet | null {
    const family = LITECOIND_CHAINS.find((slug) => slug === provider);
    if (family) {
      const litecoin = this.facts.chains['litecoin'];
      return litecoin ? new UtxoDevWallet(litecoin.rpcUrl, family) : null;
    }
    const chain = this.facts.chains[provider];
    return chain ? new EvmDevWallet(chain.rpcUrl) : null;
  }

  /** The asset of a method on a chain: 'native' or the token's contract; null for a chain that is not an EVM chain. */
  findEvmAsset(provider: string, method: string): string | null {
    const chain = this.facts.chains[provider];
    if (!chain?.tokens) return null;
    return chain.tokens[method.toUpperCase()] ?? 'native';
  }

  /** Another EVM chain; null for a chain that is not an EVM chain, since only EVM chains share addresses. */
  findOtherEvmChain(provider: string): string | null {
    const evm = Object.entries(this.facts.chains).filter(([, { tokens }]) => tokens);
    if (!evm.some(([slug]) => slug === provider)) return null;
    return evm.find(([slug]) => slug !== provider)?.[0] ?? null;
  }
}
