import { CollectionError } from './collection.pure.js';
import { prepareExport } from './collection-export.pure.js';
import { COLLECTOR_FACTORY, depositAddressOf, readTreasury } from './treasury/treasury-address.pure.js';

const NAMESPACE = '00112233445566778899aabbccddeeff';
const SAFE = '0x52908400098527886E0F7030069857D2E4169EE7';
const USDC = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const USDT = '0xde709f2102306220921060314715629080e2fb77';
const HEAD = 'address,index,namespace,treasury,factory,tokens';

const addressOf = (index: number, factory?: string): string =>
  depositAddressOf(readTreasury({ treasury: SAFE, namespace: NAMESPACE, ...(factory && { factory }) }), index)
    .address;
const row = (index: number, tokens = USDC, factory?: string): string =>
  [addressOf(index, factory), index, NAMESPACE, SAFE, factory ?? COLLECTOR_FACTORY, tokens].join(',');
const csv = (...rows: string[]): string => [HEAD, ...rows].join('\n');
const indexes = (text: string, factory?: string): number[] =>
  prepareExport(text, factory).collections.flatMap(({ deposits }) => deposits.map(({ index }) => index));

describe('an export', () => {
  it.each([
    ['CSV', csv(row(0), row(1))],
    ['CSV of another system', `\uFEFF${csv(row(0), row(1)).replaceAll('\n', '\r\n')}\r\n\r\n`],
    ['CSV with semicolons', csv(row(0), row(1)).replaceAll(',', ';')],
    ['CSV with tabs', csv(row(0), row(1)).replaceAll(',', '\t')],
    ['CSV with quotes', csv(row(0), row(1)).replaceAll(/[^,\n]+/g, (cell) => `"${cell}"`)],
    [
      'CSV with columns in another order, and more of them',
      [
        'note,TOKENS,factory,treasury,namespace,index,address',
        ...[0, 1].map((index) => `a,${row(index).split(',').reverse().join(',')}`),
      ].join('\n'),
    ],
    [
      'CSV with a reference of several lines, commas and quotes',
      `reference,${HEAD}\r\n"a ""b"", c\r\nd",${row(0)}\r\n12",${row(1)}\r\n`,
    ],
    [
      'JSON',
      JSON.stringify(
        [0, 1].map((index) => ({
          address: addressOf(index),
          index,
          namespace: NAMESPACE,
          treasury: SAFE,
          factory: COLLECTOR_FACTORY,
          tokens: [USDC],
        })),
      ),
    ],
  ])('is read from %s', (_form, text) => {
    const { collections, refused } = prepareExport(text);
    expect(refused).toEqual([]);
    expect(collections.map(({ deposits, tokens }) => [deposits.length, tokens])).toEqual([[2, [USDC]]]);
  });

  it('has several tokens in one cell, or none', () => {
    const { collections } = prepareExport(
      csv(row(0, `${USDC} ${USDT}`), row(1, `${USDT}|${USDC}`), row(2, '')),
    );
    expect(collections.map(({ deposits, tokens }) => [deposits.length, tokens.length])).toEqual([
      [2, 2],
      [1, 0],
    ]);
  });

  it.each([
    ['a swapped treasury', row(1).replace(SAFE, USDC), 'address: is not'],
    ['another index', row(1).replace(',1,', ',2,'), 'address: is not'],
    ['another factory', row(1, USDC, USDT), 'factory: is not the known'],
    ['a mistyped treasury', row(1).replace(SAFE, SAFE.replace('E', 'e')), 'treasury: has a wrong checksum'],
    ['no namespace', row(1).replace(NAMESPACE, ''), 'namespace: is missing'],
    ['an index that is none', row(1).replace(',1,', ',1.0,'), 'index: must be'],
    ['a token that is none', row(1, 'USDC'), 'tokens: "USDC"'],
    ['too few cells', addressOf(1), 'namespace: is missing'],
  ])('has the others collected when a row has %s', (_why, bad, reason) => {
    const { collections, refused } = prepareExport(csv(row(0), bad, row(3)));
    expect(collections.flatMap(({ deposits }) => deposits.map(({ index }) => index))).toEqual([0, 3]);
    expect(refused).toEqual([
      {
        row: 2,
        address: addressOf(1, bad.includes(USDT) ? USDT : undefined),
        reason: expect.stringContaining(reason),
      },
    ]);
  });

  it('is collected through the own factory where the reader names it', () => {
    const text = csv(row(0), row(1, USDC, USDT));
    expect(indexes(text)).toEqual([0]);
    expect(indexes(text, ` ${USDT.toUpperCase().replace('0X', '0x')} `)).toEqual([0, 1]);
  });

  it.each([
    ['nothing', '', 'must name the columns'],
    ['names alone', HEAD, 'has no rows'],
    ['no names', row(0), 'must name the columns'],
    ['a column less', csv(row(0)).replace(',tokens', ''), 'missing: tokens'],
    ['a quote without its end', `${csv(row(0))}\n"${row(1)}`, 'was cut'],
    ['broken JSON', '[{"address":', 'no valid JSON'],
    ['other JSON', '{}', 'must be a list'],
    ['a list of texts', '["0x"]', 'Row 1 is no object'],
    [
      'several chains',
      `${HEAD},blockchain\n${row(0)},base\n${row(1)},polygon`,
      'several chains (base, polygon)',
    ],
  ])('is refused with %s', (_why, text, reason) => {
    expect(() => prepareExport(text)).toThrow(CollectionError);
    expect(() => prepareExport(text)).toThrow(reason);
  });
});
