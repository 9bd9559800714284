import { Injectable } from '@nestjs/common';
import { ChainHealthService } from '../../chains/chain-health.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import { Sql } from '../../platform/database/sql.js';
import type { ChainOverview, ChainPosition } from './chain-presenter.js';

// Leases run on the database's clock.
const POSITIONS = `
  select n.chain, c.height, c.hash, c.updated_at, b.block_time, l.holder, l.expires_at, l.expires_at > now() as is_held
  from unnest($1::text[]) n (chain)
  left join chain_cursors c on c.chain = n.chain
  left join chain_blocks b on b.chain = n.chain and b.height = c.height
  left join chain_leases l on l.chain = n.chain`;

interface Row {
  chain: string;
  height: string | null;
  hash: string | null;
  updated_at: Date | null;
  block_time: Date | null;
  holder: string | null;
  expires_at: Date | null;
  is_held: boolean | null;
}

/** Every configured chain as an operator wants to see it, from the database alone. */
@Injectable()
export class ChainOverviews {
  constructor(
    private readonly sql: Sql,
    private readonly chains: ChainsService,
    private readonly conditions: ChainHealthService,
  ) {}

  async list(): Promise<ChainOverview[]> {
    const chains = this.chains.list();
    const slugs = chains.map(({ slug }) => slug);
    const [judged, rows] = await Promise.all([
      this.conditions.statusesOf(slugs),
      this.sql.query<Row>(POSITIONS, [slugs]),
    ]);
    return chains.flatMap((chain, i) => {
      const one = judged[i];
      return one ? [{ chain, ...one, ...toPosition(rows.find((row) => row.chain === chain.slug)) }] : [];
    });
  }
}

function toPosition(row: Row | undefined): ChainPosition {
  if (!row) return { cursor: null, lease: null };
  const { height, hash, updated_at: movedAt, block_time: blockTime, holder, expires_at: expiresAt } = row;
  return {
    cursor: height && hash && movedAt ? { height: Number(height), hash, blockTime, movedAt } : null,
    lease: holder && expiresAt ? { holder, expiresAt, isHeld: row.is_held === true } : null,
  };
}
