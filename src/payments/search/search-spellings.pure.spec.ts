import { spellingsOf } from './search-spellings.pure.js';

const HASH = 'ab'.repeat(32);
const ID = '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69';

describe('the spellings of what is searched for', () => {
  it.each([
    ['WC-4711', ['WC-4711']],
    ['#4711', ['#4711', '4711']],
    ['№ 4711', ['№ 4711', '4711']],
    ['Order 4711', ['Order 4711', 'Order-4711', 'Order4711', '4711']],
    [' 4711 ', [' 4711 ', '4711']],
    ['47 11', ['47 11', '47-11', '4711']],
    [HASH, [HASH, `0x${HASH}`]],
    [`0x${HASH}`, [`0x${HASH}`]],
    ['0x5a2b…90e4', ['0x5a2b…90e4', '0x5a2b']],
    ['0x5a2b...90e4', ['0x5a2b...90e4', '0x5a2b']],
    // So few letters begin many.
    ['0x5…90e4', ['0x5…90e4']],
    [`https://etherscan.io/tx/0x${HASH}`, [`https://etherscan.io/tx/0x${HASH}`, `0x${HASH}`]],
    [`https://mempool.space/tx/${HASH}#vout=0`, [`https://mempool.space/tx/${HASH}#vout=0`, HASH]],
    [
      `https://pay.example/checkout/${ID}?expires=1764547200&signature=${HASH}`,
      [`https://pay.example/checkout/${ID}?expires=1764547200&signature=${HASH}`, ID, HASH],
    ],
    [
      'https://mempool.space/address/bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      [
        'https://mempool.space/address/bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
        'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      ],
    ],
    // A reference with a slash is no link.
    ['2026/11/4711', ['2026/11/4711']],
    ['#', ['#']],
    ['%', ['%']],
    ['', []],
  ])('of %j', (text, expected) => {
    expect(spellingsOf(text)).toEqual(expected);
  });

  it('are few, however much is written', () => {
    expect(spellingsOf(`${'/'.repeat(200)} ${'a '.repeat(20)}`).length).toBeLessThan(10);
  });
});
