import { parseHosts } from './hosts-file.pure.js';

describe('parseHosts', () => {
  it.each<[string, string, Record<string, string[]>]>([
    ['nothing', '', {}],
    ['a name', '10.0.0.1 shop', { shop: ['10.0.0.1'] }],
    [
      'several names',
      '10.0.0.1\tshop  shop.internal\r\n',
      { shop: ['10.0.0.1'], 'shop.internal': ['10.0.0.1'] },
    ],
    ['a name in capitals', '10.0.0.1 Shop.Example', { 'shop.example': ['10.0.0.1'] }],
    ['both families', '127.0.0.1 localhost\n::1 localhost', { localhost: ['127.0.0.1', '::1'] }],
    ['a name twice', '10.0.0.2 a\n10.0.0.1 a\n10.0.0.2 a', { a: ['10.0.0.2', '10.0.0.1'] }],
    ['a scoped address', 'FE80::1%lo0 localhost', { localhost: ['fe80::1%lo0'] }],
    ['a mapped address', '::ffff:10.0.0.1 shop', { shop: ['::ffff:10.0.0.1'] }],
    ['comments', '# 10.0.0.1 a\n 10.0.0.2 b # c\n10.0.0.3 d#e', { b: ['10.0.0.2'], d: ['10.0.0.3'] }],
    ['no names', '10.0.0.1\n10.0.0.2 # shop', {}],
    ['no address', 'shop 10.0.0.1\nexample', {}],
    ['short, octal and hexadecimal addresses', '127.1 a\n010.0.0.1 b\n0x7f.0.0.1 c\n2130706433 d', {}],
    ['impossible addresses', '10.0.0.256 a\n1::2::3 b\n10.0.0.1/8 c', {}],
    ['names like those of objects', '10.0.0.1 constructor', { constructor: ['10.0.0.1'] }],
  ])('reads %s', (_what, text, expected) => {
    expect(Object.fromEntries(parseHosts(text))).toEqual(expected);
  });
});
