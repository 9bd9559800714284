import { isMailto, supportLink } from './support-url.pure.js';

describe('supportLink', () => {
  it.each([
    ['https://mystore.example/help', 'https://mystore.example/help', 'mystore.example'],
    ['http://localhost:8080', 'http://localhost:8080/', 'localhost:8080'],
    ['mailto:help@mystore.example', 'mailto:help@mystore.example', 'help@mystore.example'],
    ['mailto:a+b@x.example?subject=Order%201', 'mailto:a+b@x.example?subject=Order%201', 'a+b@x.example'],
  ])('%s links to %s as %s', (text, href, target) => {
    expect(supportLink(text)).toEqual({ href, target });
  });

  it.each([
    [null],
    [''],
    ['javascript:alert(1)'],
    ['java\nscript:alert(1)'],
    [' javascript:alert(1)'],
    ['data:text/html,x'],
    ['tel:123'],
    ['//evil.example'],
    ['https://user:secret@x.example'],
    ['mailto:'],
    ['mailto:a@b.example,c@d.example'],
    ['mailto:a@b.example?bcc=c@d.example'],
    ['mailto:a@b.example?subject=x&body=y'],
    ['mailto:a b@c.example'],
    ['mailto:a@b.example\n'],
  ])('%j is no link', (text) => {
    expect(supportLink(text)).toBeNull();
  });
});

it('isMailto accepts one address only', () => {
  expect(isMailto('mailto:help@shop.example')).toBe(true);
  expect(isMailto('MAILTO:help@shop.example')).toBe(true);
  expect(isMailto('https://shop.example')).toBe(false);
});
