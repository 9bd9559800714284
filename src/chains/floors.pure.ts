import { formatDecimal } from '../money/money.js';
import type { Chain, ChainAsset } from './chain.pure.js';
import { minTransferAmount } from './dust-limit.pure.js';
import { type CoinAmount, readCoinAmounts } from './large-amounts.pure.js';

/**
 * About what it costs to move an asset when its network is quiet, in whole coins, so that no exchange rate is involved
 * (docs/decisions/0845-one-floor-for-dust.md). The first is the native coin's; `token` is that of dollar tokens.
 */
const FLOORS: Readonly<Record<string, { native: string; token?: string }>> = {
  // 21,000 gas, or 65,000 for a token, at one to two gwei.
  ethereum: { native: '0.00003', token: '0.1' },
  polygon: { native: '0.01', token: '0.01' },
  bsc: { native: '0.00001', token: '0.01' },
  arbitrum: { native: '0.000003', token: '0.01' },
  base: { native: '0.000003', token: '0.01' },
  optimism: { native: '0.000003', token: '0.01' },
  avalanche: { native: '0.0005', token: '0.01' },
  // A transfer without staked bandwidth or energy.
  tron: { native: '0.3', token: '1' },
  // An input of 68 bytes at about 15 satoshi each.
  bitcoin: { native: '0.00001' },
  litecoin: { native: '0.0001' },
  dogecoin: { native: '0.01' },
  bitcoincash: { native: '0.00001' },
};
const DOLLARS: readonly string[] = ['USDT', 'USDC'];

/** An asset that is not listed has none. */
function defaultFloors(slug: string, assets: readonly ChainAsset[]): CoinAmount[] {
  const floors = FLOORS[slug];
  return assets.flatMap(({ asset, currencyCode: code }) => {
    const amount = asset === 'native' ? floors?.native : DOLLARS.includes(code) ? floors?.token : undefined;
    return amount === undefined ? [] : [{ code, amount }];
  });
}

/** A floor this many times the usual one would silence payments: more likely a wrong unit than a wish. */
const MOST_FLOOR = 1_000n;

/** The catalog's floors, and the operator's in the place of those that are named. */
export function readFloors(
  chain: Pick<Chain, 'slug' | 'assets' | 'dustLimit'>,
  entries: readonly CoinAmount[],
): { read: ReadonlyMap<string, bigint> | null; problems: string[] } {
  const { assets } = chain;
  const usual = readCoinAmounts(defaultFloors(chain.slug, assets), assets).from ?? new Map<string, bigint>();
  const { from: own, problems } = readCoinAmounts(entries, assets);
  for (const [name, floor] of own ?? []) {
    const asset = assets.find((one) => one.asset === name);
    if (!asset) continue;
    const [least, known] = [minTransferAmount(chain, asset), usual.get(name)];
    const inCoins = (units: bigint) => formatDecimal(units, asset.decimals);
    if (floor < least)
      problems.push(`${asset.currencyCode} must be at least ${inCoins(least)}, the least that wallets send`);
    if (known !== undefined && floor > known * MOST_FLOOR)
      problems.push(`${asset.currencyCode} must be at most ${inCoins(known * MOST_FLOOR)}`);
  }
  const read = new Map([...usual, ...(own ?? [])]);
  return { read: read.size > 0 ? read : null, problems };
}

/**
 * What is less than this of an asset, alone or in sum, is dust: it decides nothing
 * (specification/payment-states.md#dust). Never less than a wallet can send, so that what matters can be given back.
 */
export function floorOf(
  chain: Pick<Chain, 'dustLimit' | 'floors'>,
  { asset }: Pick<ChainAsset, 'asset'>,
): bigint {
  const [least, floor] = [minTransferAmount(chain, { asset }), chain.floors?.get(asset) ?? 1n];
  return floor > least ? floor : least;
}
