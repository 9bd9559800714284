import { setImmediate as breathe } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ChainInconsistencyError } from '../../chains/chain-adapter.pure.js';
import type { UnspentScanner } from '../../chains/chain-auditor.pure.js';
import { ChainsService } from '../../chains/chains.service.js';
import { RpcError } from '../../chains/rpc-error.pure.js';
import type { WalletAddresses } from '../wallet-source.pure.js';
import { ACCOUNT_WINDOW, type AddressWindow, findPast, SCAN_WINDOW } from './earlier-use.pure.js';

/** The addresses of a key, from an index on. */
export interface KeyFrom {
  addresses: WalletAddresses;
  first: number;
}

/** Addresses that are derived before other work gets its turn, some 40 milliseconds. */
const SLICE = 50;

/** Asks a chain which addresses of a key were used. */
@Injectable()
export class UsedAddresses {
  constructor(private readonly chains: ChainsService) {}

  /** Whether an answer takes the node minutes: it reads its whole set of unspent outputs. */
  isSlow(slug: string): boolean {
    return this.chains.findScanner(slug) !== null;
  }

  /**
   * The index after the last used address of each key. Null: the node does not answer now. `unseen`: this source cannot
   * say it.
   */
  async findPast(
    slug: string,
    keys: readonly KeyFrom[],
    signal?: AbortSignal,
  ): Promise<number[] | 'unseen' | null> {
    const chain = this.chains.get(slug);
    const starts = keys.map(({ first }) => first);
    const accounts = this.chains.findAccounts(slug);
    if (accounts) {
      const assets = [
        'native',
        ...chain.assets.map(({ asset }) => asset).filter((asset) => asset !== 'native'),
      ];
      return findPast(starts, ACCOUNT_WINDOW, async (windows) => {
        if (signal?.aborted) return null;
        const scripts = await this.derive(keys, windows);
        const used = await accounts.uses(assets, scripts.flat());
        return used && split(used, scripts);
      });
    }
    const scanner = this.chains.findScanner(slug);
    if (!scanner) return 'unseen';
    let isSupported = true;
    const past = await findPast(starts, SCAN_WINDOW, async (windows) => {
      const scripts = await this.derive(keys, windows);
      const scan = await scanOrNull(scanner, scripts.flat());
      isSupported = scan !== 'unsupported';
      if (!scan || scan === 'unsupported') return null;
      const holding = new Set(scan.outputs.map(({ key }) => key.toString('hex')));
      return scripts.map((own) => own.map((script) => holding.has(script.toString('hex'))));
    });
    return isSupported ? past : 'unseen';
  }

  /** An index without an address (BIP 32) stands for the one before it. */
  private async derive(keys: readonly KeyFrom[], windows: readonly AddressWindow[]): Promise<Buffer[][]> {
    const derived: Buffer[][] = [];
    for (const { of, first, count } of windows) {
      const own: Buffer[] = [];
      for (let i = 0; i < count; i++) {
        const address = keys[of]?.addresses.derive(first + i) ?? null;
        own.push(address?.key ?? own.at(-1) ?? Buffer.alloc(0));
        if (i % SLICE === SLICE - 1) await breathe();
      }
      derived.push(own);
    }
    return derived;
  }
}

/** Null: the node does not answer, or another scan is running. */
async function scanOrNull(scanner: UnspentScanner, scripts: readonly Buffer[]) {
  try {
    return (await scanner.scan(scripts)) ?? ('unsupported' as const);
  } catch (error) {
    if (error instanceof RpcError || error instanceof ChainInconsistencyError) return null;
    throw error;
  }
}

function split(used: readonly boolean[], like: readonly (readonly unknown[])[]): boolean[][] {
  let at = 0;
  return like.map(({ length }) => used.slice(at, (at += length)));
}
