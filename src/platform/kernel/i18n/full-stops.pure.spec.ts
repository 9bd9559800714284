import { joinSentences } from './full-stops.pure.js';

describe('joinSentences', () => {
  it.each([
    ['ja', '一つ。 二つ。', '一つ。二つ。'],
    [
      'zh-Hans',
      '<p><strong>一。</strong> 二！ <strong>三</strong></p>',
      '<p><strong>一。</strong>二！<strong>三</strong></p>',
    ],
    ['ja', '<p>一。\n      二</p>', '<p>一。二</p>'],
    ['ja', '<p>一。</p>\n<p>二</p>', '<p>一。</p>\n<p>二</p>'],
    ['ja', '一。\n</main>', '一。\n</main>'],
    ['ja', 'One. Two', 'One. Two'],
    ['en', '一。 二', '一。 二'],
  ] as const)('%s: %j', (locale, html, joined) => {
    expect(joinSentences(locale, html)).toBe(joined);
  });
});
