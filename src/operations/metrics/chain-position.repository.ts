import { Injectable } from '@nestjs/common';
import { Sql } from '../../platform/database/sql.js';
import type { ChainPosition } from './chain-presenter.js';

// Leases end by the database's clock.
const LIST = `
  select n.chain, c.height, c.hash, c.updated_at as "movedAt", b.block_time as "blockTime",
    l.holder, l.expires_at as "expiresAt", l.expires_at > now() as "isHeld",
    (select count(*)::integer from payment_transfers t
     where t.chain = n.chain and t.awaits_agreement and t.state = 'pending') as "awaitingAgreement",
    (select count(*)::integer from unread_traces u where u.chain = n.chain) as "unreadTraces"
  from unnest($1::text[]) n (chain)
  left join chain_cursors c on c.chain = n.chain
  left join chain_blocks b on b.chain = n.chain and b.height = c.height
  left join chain_leases l on l.chain = n.chain`;

interface Row {
  chain: string;
  height: string | null;
  hash: string | null;
  movedAt: Date | null;
  blockTime: Date | null;
  holder: string | null;
  expiresAt: Date | null;
  isHeld: boolean | null;
  awaitingAgreement: number;
  unreadTraces: number;
}

/** Reads how far the watcher is on each chain, which process watches it, and what waits for a node. */
@Injectable()
export class ChainPositionRepository {
  constructor(private readonly sql: Sql) {}

  /** By slug. */
  async list(chains: readonly string[]): Promise<Map<string, ChainPosition>> {
    const rows = await this.sql.query<Row>(LIST, [chains]);
    return new Map(rows.map((row) => [row.chain, toPosition(row)]));
  }
}

function toPosition(row: Row): ChainPosition {
  const { height, hash, movedAt, blockTime, holder, expiresAt, isHeld, awaitingAgreement, unreadTraces } =
    row;
  return {
    awaitingAgreement,
    unreadTraces,
    cursor: height && hash && movedAt ? { height: Number(height), hash, blockTime, movedAt } : null,
    lease: holder && expiresAt ? { holder, expiresAt, isHeld: isHeld === true } : null,
  };
}
