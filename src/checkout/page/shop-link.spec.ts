import { shopLink } from './shop-link.js';

const PAYMENT = { id: '550e8400-e29b-41d4-a716-446655440000', reference: 'ORDER-123' };
const APPENDED = 'paymentId=550e8400-e29b-41d4-a716-446655440000&reference=ORDER-123';

const link = (redirectUrl: string | null, siteUrl: string | null = null, reference = PAYMENT.reference) =>
  shopLink({ redirectUrl, siteUrl }, { ...PAYMENT, reference });

describe('shopLink', () => {
  it.each([
    ['https://shop.example/thanks', `https://shop.example/thanks?${APPENDED}`],
    ['https://shop.example', `https://shop.example/?${APPENDED}`],
    ['https://shop.example/?', `https://shop.example/?${APPENDED}`],
    ['https://shop.example/thanks?a=1', `https://shop.example/thanks?a=1&${APPENDED}`],
    ['https://shop.example/thanks?a=x%20y+z&b', `https://shop.example/thanks?a=x%20y+z&b&${APPENDED}`],
    ['https://shop.example/thanks#done', `https://shop.example/thanks?${APPENDED}#done`],
    ['http://localhost:8080/x', `http://localhost:8080/x?${APPENDED}`],
  ])('appends payment and reference to %s', (redirectUrl, href) => {
    expect(link(redirectUrl)?.href).toBe(href);
  });

  it('escapes a reference that contains a parameter', () => {
    const href = link('https://shop.example/', null, 'x&status=CONFIRMED#?=ü "<>')?.href ?? '';
    const { searchParams, hash } = new URL(href);
    expect([...searchParams.keys()]).toEqual(['paymentId', 'reference']);
    expect(searchParams.get('reference')).toBe('x&status=CONFIRMED#?=ü "<>');
    expect(hash).toBe('');
  });

  it('shows the host that the browser will open', () => {
    expect(link('https://shop.example:8443/x')?.host).toBe('shop.example:8443');
    expect(link('https://аррӏе.com/')?.host).toMatch(/^xn--/);
  });

  it.each([
    ['javascript:alert(1)'],
    ['\u0001javascript:alert(1)'],
    ['java\nscript:alert(1)'],
    ['JavaScript://shop.example/%0aalert(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['vbscript:x'],
    ['blob:https://shop.example/x'],
    ['ethereum:0x0'],
    ['//evil.example/'],
    ['/thanks'],
    ['https://shop.example@evil.example/'],
    ['https://user:pw@shop.example/'],
    ['not a url'],
    [''],
    [null],
  ])('returns no link for %p', (redirectUrl) => {
    expect(link(redirectUrl)).toBeNull();
  });

  it("falls back to the merchant's website, with nothing appended", () => {
    expect(link(null, 'https://shop.example/')).toEqual({
      href: 'https://shop.example/',
      host: 'shop.example',
    });
    expect(link('javascript:alert(1)', 'https://shop.example/')?.href).toBe('https://shop.example/');
    expect(link(null, 'javascript:alert(1)')).toBeNull();
  });
});
