import { pseudoMessage } from './pseudo-message.pure.js';

describe('pseudoMessage', () => {
  it.each([
    ['Pay', '[Pàý~~]'],
    ['Back to {shop}', '[Bàçk tö {shop}~~~~~]'],
    [
      '{n, plural, one {# coin} other {# coins}} left',
      '[{n, plural, one {# coin} other {# coins}} ļéft~~~~~~~~~~~~~~~~~]',
    ],
    ['', '[]'],
  ])('makes of %j %j', (message, pseudo) => {
    expect(pseudoMessage(message)).toBe(pseudo);
  });
});
