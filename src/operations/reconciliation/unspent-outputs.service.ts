import { Injectable } from '@nestjs/common';
import type { BlockRef } from '../../chains/chain-adapter.pure.js';
import type { UnspentOutput } from '../../chains/chain-auditor.pure.js';
import { ChainsService } from '../../chains/chains.service.js';
import { Sql } from '../../platform/database/sql.js';

const KEYS = 'select key from deposit_addresses where family = $1 order by id';

/** What a chain still holds for every deposit address of its family, at one block. */
export interface Unspent {
  at: BlockRef;
  /** By key, in hex. */
  outputs: ReadonlyMap<string, readonly UnspentOutput[]>;
}

/** Asks a UTXO chain once for all deposit addresses: every question costs it minutes. */
@Injectable()
export class UnspentOutputs {
  constructor(
    private readonly sql: Sql,
    private readonly chains: ChainsService,
  ) {}

  /** Null where the chain has no such thing, or its node does not. Rejects when the node fails. */
  async find(slug: string): Promise<Unspent | null> {
    const scanner = this.chains.findScanner(slug);
    if (!scanner) return null;
    const rows = await this.sql.query<{ key: Buffer }>(KEYS, [this.chains.get(slug).family]);
    if (rows.length === 0) return null;
    const scan = await scanner.scan(rows.map(({ key }) => key));
    if (!scan) return null;
    const outputs = new Map<string, UnspentOutput[]>();
    for (const output of scan.outputs) {
      const key = output.key.toString('hex');
      outputs.set(key, [...(outputs.get(key) ?? []), output]);
    }
    return { at: scan.at, outputs };
  }
}
