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

  it.each([
    ['?paymentId=old&reference=old&sig=a+b%20c%E4', '?sig=a+b%20c%E4'],
    ['?sig=%7e%E4+&paymentId=old#/done?paymentId=old', '?sig=%7e%E4+#/done?paymentId=old'],
    ['?a=1&reference=x&b=2&reference=y&reference', '?a=1&b=2'],
    ['?payment%49d=old&%72eference=old&a', '?a'],
    [
      '?paymentid=1&Reference=2&myreference=3&paymentId2=4',
      '?paymentid=1&Reference=2&myreference=3&paymentId2=4',
    ],
    ['?a&&b=&=c', '?a&&b=&=c'],
    ['?paymentId=1', ''],
    ['?x=paymentId=1&y=%26reference=2', '?x=paymentId=1&y=%26reference=2'],
  ])('replaces those that are in %s, and leaves the rest byte for byte', (query, rest) => {
    const href = link(`https://shop.example/done${query}`)?.href ?? '';
    const [kept = '', fragment] = rest.split('#');
    const expected = `https://shop.example/done${kept === '' ? '?' : `${kept}&`}${APPENDED}`;
    expect(href).toBe(fragment === undefined ? expected : `${expected}#${fragment}`);
    const { searchParams } = new URL(href);
    expect(searchParams.getAll('paymentId')).toEqual([PAYMENT.id]);
    expect(searchParams.getAll('reference')).toEqual([PAYMENT.reference]);
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
