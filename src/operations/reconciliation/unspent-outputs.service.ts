import { Injectable } from '@nestjs/common';
import type { BlockRef } from '../../chains/chain-adapter.pure.js';
import type { UnspentOutput } from '../../chains/chain-auditor.pure.js';
import { ChainsService } from '../../chains/chains.service.js';
import { DepositAddressesService } from '../../wallets/deposit-addresses.service.js';

/** What the deposit addresses of a chain hold at one block. */
export interface Unspent {
  at: BlockRef;
  /** By key, in hex. */
  outputs: ReadonlyMap<string, readonly UnspentOutput[]>;
}

/** Scans a UTXO chain once for all deposit addresses: each scan takes the node minutes. */
@Injectable()
export class UnspentOutputs {
  constructor(
    private readonly depositAddresses: DepositAddressesService,
    private readonly chains: ChainsService,
  ) {}

  /** Null where the chain or its node has no such scan. @throws Error when the node fails */
  async find(slug: string): Promise<Unspent | null> {
    const scanner = this.chains.findScanner(slug);
    if (!scanner) return null;
    const keys = await this.depositAddresses.listKeys(this.chains.get(slug).family);
    if (keys.length === 0) return null;
    const scan = await scanner.scan(keys);
    if (!scan) return null;
    const outputs = new Map<string, UnspentOutput[]>();
    for (const output of scan.outputs) {
      const key = output.key.toString('hex');
      outputs.set(key, [...(outputs.get(key) ?? []), output]);
    }
    return { at: scan.at, outputs };
  }
}
