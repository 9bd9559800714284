import { tronWalletApps, walletApps } from './config-fields.js';

const MINE = { name: 'My Wallet', link: 'https://link.example/open?url={url}&ref={page}' };

describe('CHECKOUT_WALLET_APPS', () => {
  it.each<[text: string, apps: object[]]>([
    ['', []],
    [`${MINE.name}=${MINE.link}`, [MINE]],
    [
      ` ${MINE.name}=${MINE.link} , A=https://a.example/{page}`,
      [MINE, { name: 'A', link: 'https://a.example/{page}' }],
    ],
  ])('%j', (text, apps) => expect(walletApps.parse(text)).toEqual(apps));

  it('leads to four apps unless it says otherwise', () => {
    const apps = walletApps.parse(undefined);
    expect(apps.map(({ name }) => name)).toEqual(['MetaMask', 'Trust Wallet', 'Coinbase Wallet', 'Phantom']);
  });

  it.each([
    'MetaMask',
    'MetaMask=https://link.example/dapp/',
    'X=http://a.example/{url}',
    'X=javascript:{url}',
    '=https://a.example/{url}',
    '<b>=https://a.example/{url}',
    `${'x'.repeat(41)}=https://a.example/{url}`,
    'X=https://a.example/"onclick={url}',
  ])('%j is refused with the form that it has to have', (text) => {
    const { error } = walletApps.safeParse(text);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^must be Name=https/),
    ]);
  });
});

describe('CHECKOUT_TRON_WALLET_APPS', () => {
  const TRONLINK = 'tronlinkoutside://pull.activity?param=%7B%22url%22%3A%22{url}%22%7D';

  it('leads to none unless it says so', () => expect(tronWalletApps.parse(undefined)).toEqual([]));

  it('takes the scheme of TronLink, and links of other makers', () =>
    expect(tronWalletApps.parse(`TronLink=${TRONLINK},A=https://a.example/{url}`)).toEqual([
      { name: 'TronLink', link: TRONLINK },
      { name: 'A', link: 'https://a.example/{url}' },
    ]));

  it.each(['X=tron://a/{url}', 'X=javascript:{url}', 'TronLink=tronlinkoutside://pull.activity'])(
    '%j is refused',
    (text) => expect(tronWalletApps.safeParse(text).success).toBe(false),
  );

  it('is of Tron alone', () => expect(walletApps.safeParse(`TronLink=${TRONLINK}`).success).toBe(false));
});
