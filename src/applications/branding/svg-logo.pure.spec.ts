import { readLogo } from './logo.pure.js';

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (content: string, attributes = 'viewBox="0 0 10 10"') =>
  `<svg ${NS} ${attributes}>${content}</svg>`;
const read = (text: string) => {
  const logo = readLogo(Buffer.from(text));
  return 'reason' in logo ? `refused: ${logo.reason}` : logo.content.toString();
};
const doubling = Array.from(
  { length: 20 },
  (_, i) => `<g id="g${i + 1}"><use href="#g${i}"/><use href="#g${i}"/></g>`,
).join('');

describe('hostile pictures', () => {
  it.each([
    ['a script', svg('<script>alert(1)</script>'), '<script> is not allowed'],
    ['a script in capitals', svg('<SCRIPT>alert(1)</SCRIPT>'), '<SCRIPT> is not allowed'],
    ['a script from elsewhere', svg('<script href="https://evil.example/x.js"/>'), '<script> is not allowed'],
    [
      'a script of a prefix',
      svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'),
      '<s:script> is not allowed',
    ],
    [
      'a script of an editor’s prefix',
      svg('<rdf:script xmlns:rdf="http://www.w3.org/2000/svg">alert(1)</rdf:script>'),
      'a prefix for the names of SVG',
    ],
    [
      'a script of HTML',
      svg('<metadata><h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script></metadata>'),
      'a prefix for the names of SVG or of HTML',
    ],
    [
      'an element of HTML',
      svg('<body xmlns="http://www.w3.org/1999/xhtml"/>'),
      '<body> has another namespace',
    ],
    [
      'an event handler of the root',
      svg('', 'viewBox="0 0 1 1" onload="alert(1)"'),
      'onload is an event handler',
    ],
    [
      'an event handler in capitals',
      svg('<path d="M0 0" ONCLICK="alert(1)"/>'),
      'ONCLICK is an event handler',
    ],
    [
      'an event handler of an animation',
      svg('<animate onbegin="alert(1)" attributeName="x"/>'),
      '<animate> is not allowed',
    ],
    [
      'an animation that sets a link',
      svg('<set attributeName="href" to="javascript:alert(1)"/>'),
      '<set> is not allowed',
    ],
    [
      'foreignObject',
      svg('<foreignObject><iframe src="https://evil.example"/></foreignObject>'),
      '<foreignObject> is not allowed',
    ],
    ['an iframe', svg('<iframe src="https://evil.example"/>'), '<iframe> is not allowed'],
    ['an image from elsewhere', svg('<image href="https://evil.example/x.png"/>'), '<image> is not allowed'],
    ['an image of data', svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>'), '<image> is not allowed'],
    ['a link', svg('<a href="javascript:alert(1)"><path d="M0 0"/></a>'), '<a> is not allowed'],
    ['use of another file', svg('<use href="https://evil.example/x.svg#a"/>'), 'only #id is allowed'],
    [
      'use of data',
      svg('<use xlink:href="data:image/svg+xml,x#a" xmlns:xlink="http://www.w3.org/1999/xlink"/>'),
      'only #id is allowed',
    ],
    ['a link of javascript', svg('<linearGradient href="javascript:alert(1)"/>'), 'only #id is allowed'],
    ['a link of a shape', svg('<path href="#a"/>'), '<path> has a link'],
    [
      'a color from elsewhere',
      svg('<path fill="url(https://evil.example/#a)"/>'),
      'the value of fill is not a plain one',
    ],
    [
      'a mask from elsewhere',
      svg('<path mask="url(//evil.example/x.svg#a)"/>'),
      'the value of mask is not a plain one',
    ],
    ['a color by an image', svg('<path fill="image-set(x)"/>'), 'the value of fill is not a plain one'],
    ['url() where none belongs', svg('<path opacity="url(#a)"/>'), 'the value of opacity is not a plain one'],
    [
      'a filter',
      svg('<filter id="f"><feImage href="https://evil.example"/></filter>'),
      '<filter> is not allowed',
    ],
    [
      'a style with url()',
      svg('<path style="background:url(https://evil.example)"/>'),
      'the value of background in its style',
    ],
    [
      'a style with a hidden url()',
      svg('<path style="background:u\\72l(x)"/>'),
      'an escape, a comment or an at-rule',
    ],
    [
      'a style with a comment',
      svg('<path style="background:ur/**/l(x)"/>'),
      'an escape, a comment or an at-rule',
    ],
    [
      'a style with expression()',
      svg('<path style="width:expression(alert(1))"/>'),
      'the value of width in its style',
    ],
    [
      'a style sheet with @import',
      svg('<style>@import "https://evil.example/x.css";</style>'),
      'more than plain rules',
    ],
    [
      'a style sheet with @font-face',
      svg('<style>@font-face{src:url(https://evil.example)}</style>'),
      'more than plain rules',
    ],
    [
      'a style sheet with url()',
      svg('<style>path{fill:url(https://evil.example)}</style>'),
      'the value of fill in its style',
    ],
    [
      'a style sheet in CDATA with url()',
      svg('<style><![CDATA[path{cursor:url(//evil.example)}]]></style>'),
      'the value of cursor in its style',
    ],
    [
      'a style sheet with an element',
      svg('<style><script>alert(1)</script></style>'),
      '<style> has an element in it',
    ],
    [
      'a style sheet by an instruction',
      `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`,
      'a processing instruction',
    ],
    [
      'an entity from a file',
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
      'a document type with declarations',
    ],
    [
      'entities that multiply',
      `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${svg('<text>&b;</text>')}`,
      'a document type with declarations',
    ],
    ['an entity that is not declared', svg('<text>&x;</text>'), 'an entity of its own'],
    [
      'elements that double',
      svg(`<path id="g0" d="M0 0"/>${doubling}<use href="#g20"/>`),
      'elements of it would be drawn',
    ],
    ['use of itself', svg('<g id="a"><use href="#a"/></g>'), 'refer to each other in a circle'],
    [
      'xml:base',
      svg('<path d="M0 0"/>', 'viewBox="0 0 1 1" xml:base="https://evil.example/"'),
      'the attribute xml:base is not allowed',
    ],
    ['a base of javascript', svg('<base href="javascript:alert(1)"/>'), '<base> is not allowed'],
    ['a second svg', svg(svg('')), 'a second time'],
    [
      'another root',
      '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>',
      'its first element is not <svg',
    ],
    ['HTML before it', `<!DOCTYPE html>${svg('')}`, 'a document type with declarations'],
    ['something after it', `${svg('')}<script>alert(1)</script>`, 'something after its end'],
    ['another encoding', `<?xml version="1.0" encoding="utf-7"?>${svg('')}`, 'not in UTF-8'],
    ['a control character', svg('<text>\u0001</text>'), 'control characters'],
    ['a control character by its number', svg('<text>&#1;</text>'), 'not well-formed'],
    ['an end that is missing', `<svg ${NS} viewBox="0 0 1 1"><g>`, 'not well-formed'],
    ['an attribute twice', svg('<path d="M0 0" d="M1 1"/>'), 'an attribute twice'],
    ['an attribute without quotes', svg('<path d=M0/>'), 'not well-formed'],
    ['elements that are very deep', svg('<g>'.repeat(60) + '</g>'.repeat(60)), 'more than 50 deep'],
    ['an id with markup', svg('<g id="&quot;&gt;&lt;script&gt;"/>'), 'an id that is more'],
    ['no size', svg('', ''), 'neither a viewBox nor'],
    ['a size in percent', svg('', 'width="100%" height="100%"'), 'neither a viewBox nor'],
    ['text that is no XML', 'alert(1)', 'neither a PNG nor an SVG'],
  ])('%s: refused', (_what, text, reason) => {
    expect(read(text)).toMatch(/^refused: /);
    expect(read(text)).toContain(reason);
  });

  it('UTF-16 is refused', () => {
    expect(readLogo(Buffer.from(svg(''), 'utf16le'))).toHaveProperty('reason');
  });

  it('more than 64 KiB are refused, before and after they are written', () => {
    expect(read(svg(' '.repeat(65_536)))).toContain('at most 65536 are allowed');
    expect(read(svg(`<text>${'"'.repeat(60_000)}</text>`))).toContain('when it is written plainly');
  });
});

describe('harmless pictures', () => {
  it.each([
    ['shapes', svg('<path d="M0 0L1 1" fill="#1747d1"/>'), svg('<path d="M0 0L1 1" fill="#1747d1"/>')],
    [
      'what editors leave behind, which is dropped',
      `<?xml version="1.0" encoding="UTF-8"?>\n<!-- Made by hand -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<svg ${NS} xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" version="1.1" viewBox="0 0 10 10"><metadata><rdf:RDF/></metadata><g inkscape:label="x" data-name="y"/></svg>`,
      svg('<g/>'),
    ],
    [
      'a gradient',
      svg(
        '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><path fill="url(#a)"/>',
      ),
      svg(
        '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><path fill="url(#a)"/>',
      ),
    ],
    [
      'a style',
      svg('<path style="fill:#fff; -inkscape-x:1;stroke:none"/>'),
      svg('<path style="fill:#fff;stroke:none"/>'),
    ],
    [
      'a style sheet',
      svg(
        '<style type="text/css">/* x */ .a { fill: #fff } path,.b{stroke:none}</style>'.replace(
          ' type="text/css"',
          '',
        ),
      ),
      svg('<style>.a{fill:#fff}path,.b{stroke:none}</style>'),
    ],
    [
      'markup in a text',
      svg('<text>a &lt;b&gt; &amp; &#99;</text>'),
      svg('<text>a &lt;b&gt; &amp; c</text>'),
    ],
    [
      'a width and a height',
      svg('', 'width="20px" height="10"'),
      `<svg ${NS} width="20px" height="10" viewBox="0 0 20 10"/>`,
    ],
    ['xlink', svg('<g id="a"/><use xlink:href="#a"/>'), svg('<g id="a"/><use href="#a"/>')],
  ])('%s', (_what, text, written) => {
    expect(read(text)).toBe(written);
    expect(read(written)).toBe(written);
  });
});
