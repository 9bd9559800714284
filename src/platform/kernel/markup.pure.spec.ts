import { markup } from './markup.pure.js';

describe('markup', () => {
  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    [`"><img src=x onerror='x'>`, '&quot;&gt;&lt;img src=x onerror=&#39;x&#39;&gt;'],
    ['Tom & Jerry', 'Tom &amp; Jerry'],
    ['日本 €', '日本 €'],
    ['</title></main>', '&lt;/title&gt;&lt;/main&gt;'],
    ['&lt;', '&amp;lt;'],
    ['$& $1 \\n ${x}', '$&amp; $1 \\n ${x}'],
  ])('escapes %s', (text, escaped) => {
    expect(markup`<p title="${text}">${text}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  it('keeps its own markup and lists of it, and prints nothing for null', () => {
    const item = markup`<li>${'<b>'}</li>`;
    expect(markup`<ul>${[item, item]}</ul>${null}${item}`.text).toBe(
      '<ul><li>&lt;b&gt;</li><li>&lt;b&gt;</li></ul><li>&lt;b&gt;</li>',
    );
  });
});
