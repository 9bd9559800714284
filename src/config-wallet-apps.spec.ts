import { DEFAULT_WALLET_APPS, walletApps } from './config-fields.js';

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
    const apps = walletApps.parse(DEFAULT_WALLET_APPS);
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
