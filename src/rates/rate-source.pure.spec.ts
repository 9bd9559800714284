import { parseExactText } from './rate-source.pure.js';

describe('parseExactText', () => {
  it.each<[string, unknown]>([
    ['{"USD":64321.120000000000000001}', { USD: '64321.120000000000000001' }],
    ['{"a":[1,-2.5e-7,1E+3],"b":"3.10"}', { a: ['1', '-2.5e-7', '1E+3'], b: '3.10' }],
    ['{"1.5":"x\\"9.0\\\\","y":9}', { '1.5': 'x"9.0\\', y: '9' }],
    ['[true,null,false]', [true, null, false]],
    ['0.10', '0.10'],
  ])('keeps the digits of numbers: %s', (text, expected) => {
    expect(parseExactText(text)).toEqual(expected);
  });

  it.each(['', '{"a":1', '{"a":01}', '{"a":"', 'NaN', '<html>'])('rejects %p', (text) => {
    expect(() => parseExactText(text)).toThrow(SyntaxError);
  });
});
