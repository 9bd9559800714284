import { ChainsService } from '../../src/chains/chains.service.js';
import type { Shop } from './shop.js';

/** Mines a block and moves the cursor over it unread, as a node that shows nothing of it would; returns its height. */
export async function skipNextBlock(shop: Shop): Promise<number> {
  await shop.watch();
  await shop.chain.mine();
  return skipBlock(shop, 'ethereum');
}

/** Moves the cursor of a chain over its newest block unread; all before it must be applied. Returns its height. */
export async function skipBlock({ gateway }: Shop, chain: string): Promise<number> {
  const adapter = gateway.get(ChainsService).adapter(chain);
  const { height } = await adapter.tip();
  const block = await adapter.header(height);
  if (!block) throw new Error(`no block ${height}`);
  await gateway.sql.query(
    `insert into chain_blocks (chain, height, hash, parent_hash, block_time) values ($1, $2, $3, $4, $5)`,
    [chain, height, block.hash, block.parentHash, block.time],
  );
  await gateway.sql.query(`update chain_cursors set height = $1, hash = $2 where chain = $3`, [
    height,
    block.hash,
    chain,
  ]);
  return height;
}
