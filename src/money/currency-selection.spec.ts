import { CURRENCIES } from './currencies.js';
import { currencyMessage } from './currency-selection.js';

const INVALID = 'The selected currencyCode is invalid.';
const LIST = 'It must be an upper-case currency code, as GET /api/currencies lists them.';
const NETWORK = 'The network is no part of the code: blockchainSlug chooses it.';
const CRYPTO = CURRENCIES.filter(({ type }) => type === 'crypto');

describe('currencyMessage', () => {
  it.each<[unknown, string]>([
    ['usd', 'USD'],
    ['Usd ', 'USD'],
    ['UDS', 'USD or UZS'],
    ['US', ''],
    ['$', 'USD'],
    ['€', 'EUR'],
    ['Euro', 'EUR'],
    ['dollar', 'USD'],
    ['US Dollar', 'USD'],
    ['btc', 'BTC'],
    ['Bitcoin', 'BTC'],
    ['bitcoin', 'BTC'],
    ['Bitcion', ''],
    ['XBT', 'BTC'],
    ['bitcoincash', 'BCH'],
    ['ethereum', 'ETH'],
    ['Ether', 'ETH'],
    ['tron', 'TRX'],
    ['Tether', 'USDT'],
    ['MATIC', 'POL'],
    ['polygon', 'POL'],
    ['bsc', 'BNB'],
    ['DOGEE', 'DOGE'],
    [840, ''],
    [null, ''],
    ['', ''],
    ['pct_0123456789012345678901234567890123456789', ''],
  ])('for %p suggests %p', (sent, code) => {
    const meant = code && ` Did you mean ${code}?`;
    expect(currencyMessage('currencyCode', sent)).toBe(`${INVALID}${meant} ${LIST}`);
  });

  it.each(['USDT-TRC20', 'usdt_erc20', 'USDT (TRC-20)', 'USDT.TRON', 'USDTTRC20'])(
    'recognizes the network in %p',
    (sent) =>
      expect(currencyMessage('currencyCode', sent)).toBe(`${INVALID} Did you mean USDT? ${NETWORK} ${LIST}`),
  );

  it.each<[unknown, string]>([
    ['USD', `${INVALID} USD is a fiat currency. It must be the code of a cryptocurrency: BTC, ETH.`],
    ['btc', `${INVALID} Did you mean BTC? It must be the code of a cryptocurrency: BTC, ETH.`],
    ['SOL', 'The selected currencyCode is known, but not enabled on this gateway; enabled: BTC, ETH.'],
    ['US Dollar', `${INVALID} It must be the code of a cryptocurrency: BTC, ETH.`],
  ])('for %p names the coins that are enabled', (sent, message) =>
    expect(currencyMessage('currencyCode', sent, CRYPTO, ['BTC', 'ETH'])).toBe(message),
  );
});
