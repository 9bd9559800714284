import type { Shop } from './shop.js';

/** Mines a block and moves the cursor over it unread, as a node that shows nothing of it would; returns its height. */
export async function skipNextBlock(shop: Shop): Promise<number> {
  await shop.watch();
  await shop.chain.mine();
  const block = await shop.chain.rpc<Record<'number' | 'hash' | 'parentHash' | 'timestamp', string>>(
    'eth_getBlockByNumber',
    ['latest', false],
  );
  const height = Number(block.number);
  await shop.gateway.sql.query(
    `insert into chain_blocks (chain, height, hash, parent_hash, block_time)
     values ('ethereum', $1, $2, $3, to_timestamp($4))`,
    [height, block.hash, block.parentHash, Number(block.timestamp)],
  );
  await shop.gateway.sql.query(`update chain_cursors set height = $1, hash = $2 where chain = 'ethereum'`, [
    height,
    block.hash,
  ]);
  return height;
}
