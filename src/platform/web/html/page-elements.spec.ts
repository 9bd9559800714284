import { addressInFours, addressParts } from './page-elements.js';

describe('addressParts', () => {
  it.each([
    ['0x52908400098527886E0F7030069857D2E4169EE7', '0x', '5290', '9EE7'],
    ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1q', 'cr8t', '6fyu'],
    ['ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh', 'ltc1q', 'jmxn', 'k4wh'],
    ['bcrt1qcr8te4kr609gcawutmrza0j4xv80jyeqxxxx', 'bcrt1q', 'cr8t', 'xxxx'],
    ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'bitcoincash:q', 'pm2q', 'dx6a'],
    ['TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'T', 'UEZS', 'WYdH'],
    ['1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', '1', 'LqBG', 'eabA'],
    ['DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC', 'D', 'Bus3', 'wxgC'],
  ])('of %s', (address, prefix, first, last) => {
    const parts = addressParts(address);
    expect(parts).toMatchObject({ prefix, first, last });
    expect([parts.prefix, parts.first, ...parts.middle, parts.last].join('')).toBe(address);
  });

  it.each(['', '0', '0x12', '0x12345', '0x123456789', 'a<b'])('keep every character of %j', (text) => {
    const { prefix, first, middle, last } = addressParts(text);
    expect([prefix, first, ...middle, last].join('')).toBe(text);
  });
});

it('addressInFours emphasizes the first and last four characters after the prefix, and escapes', () => {
  const html = addressInFours('0x52908400098527886E0F7030069857D2E4169EE7').text;
  expect(html).toContain('<span>0x<strong>5290</strong></span><wbr><span>8400</span>');
  expect(html).toMatch(/<span><strong>9EE7<\/strong><\/span><\/code>$/);
  expect(html.replace(/<[^>]*>/g, '')).toBe('0x52908400098527886E0F7030069857D2E4169EE7');
  expect(addressInFours('<img src=x>').text).not.toContain('<img');
});
