import { networksOf, readReport, type ReportNetwork } from './transaction-report.pure.js';

const network = (slug: string, family: ReportNetwork['family']): ReportNetwork => ({
  slug,
  name: slug,
  family,
});
const ETHEREUM = network('ethereum', 'evm');
const BASE = network('base', 'evm');
const TRON = network('tron', 'tron');
const BITCOIN = network('bitcoin', 'bitcoin');
const LITECOIN = network('litecoin', 'litecoin');
const ALL = [ETHEREUM, BASE, BITCOIN, LITECOIN, TRON];

const HEX = 'ab'.repeat(32);
const slugs = (networks: readonly ReportNetwork[]) => networks.map(({ slug }) => slug);

describe('the networks of a payment', () => {
  it.each<[string, string[], string | null, string[]]>([
    ['nothing was asked for', [], 'ethereum', []],
    ['one network: those of its family too', ['base'], null, ['base', 'ethereum']],
    ['several: the last one first', ['bitcoin', 'tron'], null, ['tron', 'bitcoin']],
    ['the selected one before those asked for later', ['bitcoin', 'tron'], 'bitcoin', ['bitcoin', 'tron']],
    ['selected and never asked for', ['bitcoin'], 'tron', ['bitcoin']],
    ['asked for twice', ['ethereum', 'base', 'ethereum'], null, ['ethereum', 'base']],
    ['not configured any more', ['dogecoin'], null, []],
  ])('%s', (_title, quoted, selected, expected) => {
    const quotes = quoted.map((chain) => ({ chain }));
    expect(slugs(networksOf(ALL, quotes, selected))).toEqual(expected);
  });
});

describe('a report', () => {
  it.each<[string, string, string | null, ReportNetwork[], string, string]>([
    ['an EVM id', `0x${HEX}`, null, [ETHEREUM, BASE], 'ethereum', `0x${HEX}`],
    ['capitals and spaces', `  0X${HEX.toUpperCase()}\n`, null, [ETHEREUM], 'ethereum', `0x${HEX}`],
    ['an EVM id without 0x', HEX, null, [ETHEREUM], 'ethereum', `0x${HEX}`],
    ['a Bitcoin id', HEX, null, [BITCOIN, LITECOIN], 'bitcoin', HEX],
    ['a Tron id with 0x', `0x${HEX}`, 'tron', [TRON, ETHEREUM], 'tron', HEX],
    ['its form decides where no network is named', `0x${HEX}`, null, [BITCOIN, BASE], 'base', `0x${HEX}`],
    ['its form decides, the other way', HEX, null, [ETHEREUM, TRON], 'tron', HEX],
    ['the named network decides', `0x${HEX}`, 'BASE', [ETHEREUM, BASE], 'base', `0x${HEX}`],
    ['a link', `https://etherscan.io/tx/0x${HEX}#logs`, null, [ETHEREUM], 'ethereum', `0x${HEX}`],
    ['a link without 0x', `https://tronscan.org/#/transaction/${HEX}`, null, [TRON], 'tron', HEX],
  ])('%s', (_title, txHash, provider, networks, slug, hash) => {
    expect(readReport({ txHash, provider }, networks)).toEqual({
      network: expect.objectContaining({ slug }),
      txHash: hash,
    });
  });

  it.each<[string, string, string, string]>([
    ['on the network where it is recorded', HEX.toUpperCase(), `0x${HEX}`, 'ethereum'],
    ['on the named one, where another one is recorded', HEX, `0x${'cd'.repeat(32)}`, 'base'],
  ])('is looked for %s', (_title, txHash, recorded, slug) => {
    const transfers = [{ chain: 'ethereum', txHash: recorded }];
    expect(readReport({ txHash, provider: 'base' }, [BASE, ETHEREUM], transfers)).toMatchObject({
      network: { slug },
    });
  });

  it.each<[string, string, string | null, ReportNetwork[], string]>([
    ['nothing', '', null, ALL, 'malformed'],
    ['words', 'abandon abandon about', null, ALL, 'malformed'],
    ['a digit too few', HEX.slice(1), null, ALL, 'malformed'],
    ['a digit too many', `${HEX}a`, null, ALL, 'malformed'],
    ['an address', `0x${'ab'.repeat(20)}`, null, ALL, 'malformed'],
    ['an id within other text', `my key is ${HEX}`, null, ALL, 'malformed'],
    ['two ids', `${HEX} ${HEX}`, null, ALL, 'malformed'],
    ['a link to two', `https://x.example/${HEX}/${HEX}`, null, ALL, 'malformed'],
    ['a link without one', 'https://etherscan.io/tx/', null, ALL, 'malformed'],
    ['another scheme', `javascript:alert("${HEX}")`, null, ALL, 'malformed'],
    ['a network without an address', `0x${HEX}`, 'tron', [ETHEREUM], 'unknown_network'],
    ['no network of that name', `0x${HEX}`, '', [ETHEREUM], 'unknown_network'],
    ['no address yet', `0x${HEX}`, null, [], 'no_address'],
  ])('%s: refused', (_title, txHash, provider, networks, problem) => {
    expect(readReport({ txHash, provider }, networks)).toBe(problem);
  });
});
