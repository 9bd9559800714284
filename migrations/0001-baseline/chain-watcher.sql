-- How far each chain was read, and how its nodes behave.
-- Owners: src/chain-watcher; src/chains (chain_conditions).

-- One row per chain: the last block that was applied (specification/chains.md#following-a-chain). Written by the chain
-- watcher in the transaction that applies a block. Never deleted.
create table chain_cursors (
  chain text primary key,
  height bigint not null check (height >= 0),
  hash text not null,
  -- Highest lease epoch that wrote here: a watcher that lost its lease cannot write (fencing).
  epoch bigint not null,
  updated_at timestamptz not null default now(),
  -- Set when a reorg deeper than the kept blocks stopped the watcher; an operator decides.
  halted_at timestamptz,
  halt_reason text,
  -- Up to then the watcher has certainly seen all that the node had: blocks up to the tip, and the mempool.
  caught_up_at timestamptz
);

-- One row per recent block, for the walk back to a common ancestor. Written by the chain watcher. Deleted when a reorg
-- takes the block back, or when it is older than the deepest reorg that is followed.
create table chain_blocks (
  chain text not null,
  height bigint not null,
  hash text not null,
  parent_hash text not null,
  block_time timestamptz not null,
  primary key (chain, height)
);

-- One row per chain: the process that reads it, until expires_at. Written by the chain watcher; the epoch grows with
-- every new holder.
create table chain_leases (
  chain text primary key,
  holder text not null,
  epoch bigint not null,
  expires_at timestamptz not null
);

-- One row per chain: how its node last answered, for every process to read. Written by the watcher's health reports.
create table chain_conditions (
  chain text primary key,
  -- The node's newest block, as last reported.
  head_height bigint check (head_height >= 0),
  head_hash text,
  -- A head is stalled when nothing higher came for long; a node that falls back does not count as progress.
  highest_height bigint check (highest_height >= 0),
  rose_at timestamptz,
  -- When the watcher last called the node, whatever the response was.
  checked_at timestamptz not null,
  -- Null while the node answers as it should.
  trouble text,
  trouble_since timestamptz,
  -- Depths are in blocks.
  reorgs bigint not null default 0 check (reorgs >= 0),
  deepest_reorg integer not null default 0 check (deepest_reorg >= 0),
  last_reorg_depth integer not null default 0 check (last_reorg_depth >= 0),
  last_reorg_at timestamptz,
  -- In the order of the configuration: position, state, failures, lastError, tipHeight, lagBlocks, capabilities.
  -- EVM chains only: the others are read through one node.
  endpoints jsonb not null default '[]' check (jsonb_typeof(endpoints) = 'array'),
  -- Blocks that the node has yet to read, and since when: while it is that far behind its network, payments go unseen,
  -- although its newest block rises (specification/chains.md#nodes-that-are-behind). Null while it has the newest ones.
  backlog_blocks bigint,
  backlog_declared boolean,
  backlog_since timestamptz,
  backlog_most bigint,
  check ((head_height is null) = (head_hash is null)),
  check ((head_height is null) = (highest_height is null)),
  check ((head_height is null) = (rose_at is null)),
  check ((trouble is null) = (trouble_since is null)),
  check ((reorgs = 0) = (last_reorg_at is null)),
  constraint chain_conditions_backlog_check check (
    num_nulls(backlog_blocks, backlog_declared, backlog_since, backlog_most) in (0, 4)
    and backlog_blocks > 0 and backlog_most >= backlog_blocks)
);

-- One row per applied block of which the payments by contracts are not all known, because its traces could not be read
-- (specification/chains.md#unread-traces). Written by the chain watcher in the transaction that applies the block; deleted
-- once they are read, or when a fork takes the block back.
create table unread_traces (
  chain text not null,
  height bigint not null check (height >= 0),
  block_hash text not null,
  -- Null: all transactions of the block.
  tx_hashes text[] check (cardinality(tx_hashes) > 0),
  reason text not null,
  found_at timestamptz not null default now(),
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null,
  primary key (chain, height)
);
create index unread_traces_due on unread_traces (next_attempt_at);
