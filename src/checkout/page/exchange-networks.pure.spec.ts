import { exchangeNetworksOf } from './exchange-networks.pure.js';

describe('networks as exchanges call them', () => {
  it.each<[coin: string, slug: string, names: string[]]>([
    ['USDC', 'base', ['Coinbase: Base']],
    ['USDC', 'avalanche', ['Coinbase: Avalanche C-Chain']],
    ['ETH', 'ethereum', ['Coinbase: Ethereum']],
    ['USDT', 'tron', ['OKX: TRC20, fee from the amount', 'Bybit: TRC-20']],
    ['USDT', 'ethereum', ['OKX: ERC20, fee from the amount', 'Bybit: ERC-20']],
    // Not read about, so nobody is sent there.
    ['USDC', 'arbitrum', []],
    ['USDT', 'bsc', []],
    ['BTC', 'bitcoin', []],
    ['USDC', 'no-such-chain', []],
    ['toString', 'ethereum', []],
    ['ETH', 'constructor', []],
  ])('%s on %s: %j', (coin, slug, names) =>
    expect(
      exchangeNetworksOf(coin, slug).map(
        ({ exchange, network, feeFrom }) =>
          `${exchange}: ${network}${feeFrom ? `, fee from the ${feeFrom}` : ''}`,
      ),
    ).toEqual(names),
  );
});
