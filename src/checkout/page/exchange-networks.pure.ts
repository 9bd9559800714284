/** How an exchange calls a network where one withdraws, and what it does with its fee. */
export interface ExchangeNetwork {
  exchange: string;
  network: string;
  /** `amount`: taken from what is entered, so that less arrives; null: the pages that were read do not say. */
  feeFrom: 'amount' | null;
}

/** When the pages below were read. */
export const EXCHANGES_READ_ON = '2026-11-30';

interface Preset extends Pick<ExchangeNetwork, 'exchange' | 'feeFrom'> {
  /** Pages of the exchange itself. */
  sources: readonly string[];
  /** Names by chain, for each coin; a coin or a chain that is not here was not read about, and is not listed. */
  names: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Only what pages of the exchanges say: a wrong name costs the customer the money. */
const PRESETS: readonly Preset[] = [
  {
    exchange: 'Coinbase',
    feeFrom: null,
    sources: ['https://docs.cdp.coinbase.com/onramp-&-offramp/developer-guidance/layer-2-networks'],
    names: {
      ETH: { ethereum: 'Ethereum', base: 'Base', optimism: 'Optimism', arbitrum: 'Arbitrum' },
      USDC: {
        ethereum: 'Ethereum',
        base: 'Base',
        polygon: 'Polygon',
        optimism: 'Optimism',
        avalanche: 'Avalanche C-Chain',
      },
    },
  },
  {
    exchange: 'OKX',
    feeFrom: 'amount',
    sources: [
      'https://www.okx.com/help/do-i-need-to-pay-fees-for-deposit-and-withdrawal',
      'https://www.okx.com/docs-v5/en/',
    ],
    names: { USDT: { ethereum: 'ERC20', tron: 'TRC20' } },
  },
  {
    exchange: 'Bybit',
    feeFrom: null,
    sources: ['https://learn.bybit.com/bybit-guide/make-a-withdrawal/'],
    names: { USDT: { ethereum: 'ERC-20', tron: 'TRC-20' } },
  },
];

/** @param coin its code, e.g. "USDC"; @param slug of the chain. Empty: none of the exchanges was read about it */
export function exchangeNetworksOf(coin: string, slug: string): ExchangeNetwork[] {
  return PRESETS.flatMap(({ exchange, feeFrom, names }) => {
    const ofCoin = new Map(Object.entries(names)).get(coin) ?? {};
    const network = new Map(Object.entries(ofCoin)).get(slug);
    return network === undefined ? [] : [{ exchange, network, feeFrom }];
  });
}
