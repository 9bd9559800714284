import { contentSecurityPolicy, frameOrigin } from './page-headers.js';

describe('frameOrigin', () => {
  it.each([
    ['https://mystore.example', 'https://mystore.example'],
    ['https://mystore.example/shop/?a=b#c', 'https://mystore.example'],
    ['https://MyStore.example:443/', 'https://mystore.example'],
    ['http://localhost:8080/x', 'http://localhost:8080'],
    ['http://[::1]:8080/x', 'http://[::1]:8080'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://my_shop:8080', 'http://my_shop:8080'],
    ['https://my_shop.example/', 'https://my_shop.example'],
    ['https://mystore.example./', 'https://mystore.example'],
    ['https://mystore.example.:8443/', 'https://mystore.example:8443'],
  ])('allows %s to frame the page as %s', (url, origin) => {
    expect(frameOrigin(url)).toBe(origin);
  });

  it.each([
    [null],
    [''],
    ['mystore.example'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['file:///etc/passwd'],
    ['ftp://mystore.example'],
    // Each of these is a valid URL whose host would widen or end the directive.
    ['https://*/'],
    ['https://*.example/'],
    ['https://a;sandbox/'],
    ['https://a,b/'],
    ["https://'self'/"],
  ])('does not allow %s to frame the page', (url) => {
    expect(frameOrigin(url)).toBeNull();
  });
});

describe('contentSecurityPolicy', () => {
  it("allows scripts of its own origin, the page's own style, and no frames", () => {
    expect(contentSecurityPolicy('abc', null)).toBe(
      "default-src 'none'; script-src 'self'; style-src 'nonce-abc'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  it("allows frames of the merchant's site only", () => {
    expect(contentSecurityPolicy('abc', 'https://mystore.example')).toMatch(
      /; frame-ancestors https:\/\/mystore\.example$/,
    );
  });
});
