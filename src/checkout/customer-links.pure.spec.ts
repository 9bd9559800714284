import { checkoutKeyOf, checkoutUrl } from '../payments/checkout-url.pure.js';
import { receiptKeyOf, receiptUrl } from '../payments/receipt-url.pure.js';
import { claimKeyOf, claimUrl } from '../refunds/claim-url.pure.js';
import { customerLinks } from './customer-links.pure.js';

const [NEW, OLD] = ['a signing key of the test, the new one', 'a signing key of the test, the old one'];
const ID = '550e8400-e29b-41d4-a716-446655440000';
const OTHER = '550e8400-e29b-41d4-a716-446655440001';
const CREATED = { id: ID, createdAt: new Date('2001-01-01T00:00:00Z') };
const ENDED = 1_000_000_000;

const isSigned = (url: string, id = ID) =>
  customerLinks([NEW, OLD])(id, Object.fromEntries(new URL(url).searchParams));

it.each([
  ['a checkout', checkoutUrl('https://g.test', checkoutKeyOf(NEW), ID, ENDED)],
  ['a receipt', receiptUrl('https://g.test', receiptKeyOf(OLD), CREATED)],
  ['a refund', claimUrl('https://g.test', claimKeyOf(NEW), ID, ENDED)],
])('knows the link of %s, although it has ended, for its own id only', (_what, url) => {
  expect(isSigned(url)).toBe(true);
  expect(isSigned(url, OTHER)).toBe(false);
});

it.each([
  [
    'of another key',
    checkoutUrl('https://g.test', checkoutKeyOf('another key of at least 32 characters'), ID, ENDED),
  ],
  ['without a signature', `https://g.test/checkout/${ID}?expires=${ENDED}`],
  ['without anything', `https://g.test/checkout/${ID}`],
  ['of the key of another kind', checkoutUrl('https://g.test', claimKeyOf(NEW), ID, ENDED)],
])('does not know one %s', (_what, url) => {
  expect(isSigned(url)).toBe(false);
});
