import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../platform/database/column-transformers.js';
import type { EndpointReport } from './evm/evm-endpoint.js';

/** What the watcher last recorded about one chain. */
@Entity('chain_conditions')
export class ChainConditionEntity {
  /** Slug. */
  @PrimaryColumn({ type: 'text' })
  chain: string;

  /** The node's newest block. */
  @Column({ name: 'head_height', type: 'bigint', nullable: true, transformer: integerColumn })
  headHeight: number | null;

  @Column({ name: 'head_hash', type: 'text', nullable: true })
  headHash: string | null;

  @Column({ name: 'highest_height', type: 'bigint', nullable: true, transformer: integerColumn })
  highestHeight: number | null;

  /** When the highest block so far was first seen. */
  @Column({ name: 'rose_at', type: 'timestamptz', nullable: true })
  roseAt: Date | null;

  /** When the watcher last asked the node. */
  @Column({ name: 'checked_at', type: 'timestamptz' })
  checkedAt: Date;

  /** The node's failure; null while it responds correctly. */
  @Column({ type: 'text', nullable: true })
  trouble: string | null;

  @Column({ name: 'trouble_since', type: 'timestamptz', nullable: true })
  troubleSince: Date | null;

  /** Blocks that the node does not have yet, see backlogOf(); null while it has the newest ones. */
  @Column({ name: 'backlog_blocks', type: 'bigint', nullable: true, transformer: integerColumn })
  backlogBlocks: number | null;

  /** The node says so itself. */
  @Column({ name: 'backlog_declared', type: 'boolean', nullable: true })
  backlogDeclared: boolean | null;

  @Column({ name: 'backlog_since', type: 'timestamptz', nullable: true })
  backlogSince: Date | null;

  /** The most blocks since then. */
  @Column({ name: 'backlog_most', type: 'bigint', nullable: true, transformer: integerColumn })
  backlogMost: number | null;

  @Column({ type: 'bigint', transformer: integerColumn })
  reorgs: number;

  /** Blocks. */
  @Column({ name: 'deepest_reorg', type: 'integer' })
  deepestReorg: number;

  @Column({ name: 'last_reorg_depth', type: 'integer' })
  lastReorgDepth: number;

  @Column({ name: 'last_reorg_at', type: 'timestamptz', nullable: true })
  lastReorgAt: Date | null;

  /** Of an EVM chain; empty for others. */
  @Column({ type: 'jsonb' })
  endpoints: EndpointReport[];
}
