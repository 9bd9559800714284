import { JsonError, parseExact } from '../exact-json.pure.js';
import { describeBodyKind, describeJsonMistake } from './json-mistake.pure.js';

/** What is said of a text that the parser refuses. */
function describeText(text: string): string | undefined {
  try {
    parseExact(text);
  } catch (error) {
    if (error instanceof JsonError) return describeJsonMistake(text, error.position);
    throw error;
  }
  throw new Error('the text is good JSON');
}

describe('describeJsonMistake', () => {
  it.each([
    ['{"a":1,}', 'line 1, column 8: JSON allows no comma before a closing bracket.'],
    ['{\n  "a": [1,\n  ]\n}', 'line 3, column 3: JSON allows no comma'],
    [`{'a':1}`, 'straight double quotes'],
    ['{“a”:1}', 'straight double quotes'],
    ['{"a":‘b’}', 'straight double quotes'],
    ['{a:1}', 'double quotes (") around names'],
    ['// order\n{}', 'no comments'],
    ['{"a":1 /* cents */}', 'no comments'],
    ['amount=2500&currencyCode=USD', 'the body is a form'],
    ['a[b]=1', 'the body is a form'],
    ['--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--', 'a multipart form'],
    ['<order/>', 'XML or HTML'],
    ['undefined', 'a missing value'],
    ['None', 'a missing value'],
    ['[object Object]', 'JSON.stringify'],
    ['  ', 'white space only'],
    ['{"a":1', 'the body ends too early'],
    ['{"a":', 'the body ends too early'],
    ['{"a":"b', 'not closed'],
    ['{"a":"b\nc"}', 'not closed, or has a line break'],
    ['{"a":"\\x"}', 'a wrong escape'],
    ['{"a":True}', 'true, false and null, in lower case'],
    ['{"a":None}', 'true, false and null, in lower case'],
    ['{"a":undefined}', 'true, false and null, in lower case'],
    ['{"a":2_500}', 'no JSON number'],
    ['{"a":2.}', 'no JSON number'],
    ['{"a":+1}', 'no JSON number'],
    ['{"a":.5}', 'no JSON number'],
    ['{"a":007}', 'no JSON number'],
    ['{"a":1 "b":2}', 'a comma is missing'],
    ['{"a":"x"\n"b":2}', 'line 2, column 1: a comma is missing'],
  ])('%s', (text, says) => expect(describeText(text)).toContain(says));

  it('gives at least the position of an unusual syntax error', () =>
    expect(describeText('{"a":;}')).toBe('At line 1, column 6.'));

  it('returns no hint for valid JSON that is refused for its content', () =>
    expect(describeText('{"a":1,"a":2}')).toBeUndefined());

  it('never repeats values of the body', () => {
    for (const text of ['{"a":"secret" secret}', `{'secret':1}`, 'secret=1&b=2', '{secret:1}'])
      expect(describeText(text)).not.toContain('secret');
  });
});

test.each([
  ['{}', 'encoded as JSON twice'],
  [[{}], 'a list'],
  [25, 'a single value'],
  [null, 'a single value'],
])('describeBodyKind of %j', (body, says) => expect(describeBodyKind(body)).toContain(says));
