import type { ApplicationView } from '../../applications/application-view.pure.js';
import { knownPayment, type KnownPayment, KnownPayments } from './known-payments.pure.js';

const payment = (id: string): KnownPayment => ({
  id,
  status: {
    reference: `ORDER-${id}`,
    referenceLabel: 'Two bags',
    merchantSettings: { title: 'Coffee', url: null },
  },
  shop: null,
});

describe('KnownPayments', () => {
  it('finds what it has remembered, and nothing else', () => {
    const known = new KnownPayments(2);
    known.remember(payment('1'));
    expect(known.find('1')).toEqual(payment('1'));
    expect(known.find('2')).toBeNull();
  });

  it('keeps the payments that were shown last', () => {
    const known = new KnownPayments(2);
    for (const id of ['1', '2', '1', '3']) known.remember(payment(id));
    expect(['1', '2', '3'].filter((id) => known.find(id))).toEqual(['1', '3']);
  });
});

describe('knownPayment', () => {
  const site = { title: 'Coffee', url: 'https://coffee.example.com/' } as ApplicationView['site'];
  const paid = { id: '1', reference: 'ORDER-1', referenceLabel: 'Two bags', redirectUrl: null };

  it("links to the shop's site", () => {
    expect(knownPayment(paid, { site, isSiteAuthentic: true })).toMatchObject({
      status: { merchantSettings: { title: 'Coffee', url: 'https://coffee.example.com/' } },
      shop: { href: 'https://coffee.example.com/' },
    });
  });

  it('links to nothing when the row of the site was changed outside of the gateway', () => {
    expect(knownPayment(paid, { site, isSiteAuthentic: false })).toMatchObject({
      status: { merchantSettings: { title: 'Coffee', url: null } },
      shop: null,
    });
  });
});
