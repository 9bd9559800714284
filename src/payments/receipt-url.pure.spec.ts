import { receiptExpiry, receiptKeyOf, receiptUrl, signReceipt, verifyReceipt } from './receipt-url.pure.js';
import { checkoutKeyOf, signCheckout, verifyCheckout } from './checkout-url.pure.js';

const SECRET = 'test-checkout-signing-key-0001';
const ID = '550e8400-e29b-41d4-a716-446655440000';
const CREATED = new Date('2026-01-15T10:00:00.900Z');
/** 2036-01-15T10:00:00Z */
const EXPIRES = 2_084_004_000;
const KEY = receiptKeyOf(SECRET);

describe('the link of a receipt', () => {
  it('ends ten years after the payment was created', () => {
    expect(receiptExpiry(CREATED)).toBe(EXPIRES);
    expect(receiptExpiry(new Date('2028-02-29T00:00:00Z'))).toBe(Date.UTC(2038, 2, 1) / 1000);
  });

  it('is the same at every call, and the test vector of specification/receipts.md', () => {
    const signature = signReceipt(KEY, ID, EXPIRES);
    expect(signature).toBe('a89e0d3f0af9ca315ba49a7e421bf817d38b8f662a87fc42211c22a52c01319b');
    expect(receiptUrl('https://pay.example', KEY, { id: ID, createdAt: CREATED })).toBe(
      `https://pay.example/receipt/${ID}?expires=${EXPIRES}&signature=${signature}`,
    );
  });

  const verify = (signature: string, expires: unknown = String(EXPIRES), now = EXPIRES) =>
    verifyReceipt([receiptKeyOf('another-key'), KEY], ID, { expires, signature }, now);

  it.each([
    ['in its last second', EXPIRES, 'valid'],
    ['a second later', EXPIRES + 1, 'link_expired'],
  ])('verifies %s: %s', (_name, now, verdict) => {
    expect(verify(signReceipt(KEY, ID, EXPIRES), undefined, now)).toBe(verdict);
  });

  it('is of another purpose than a checkout link: neither signature opens the other page', () => {
    const checkout = signCheckout(checkoutKeyOf(SECRET), ID, EXPIRES);
    expect(verify(checkout)).toBe('invalid_signature');
    const receipt = signReceipt(KEY, ID, EXPIRES);
    expect(verifyCheckout([checkoutKeyOf(SECRET)], ID, String(EXPIRES), receipt, EXPIRES)).toBe(
      'invalid_signature',
    );
  });
});
