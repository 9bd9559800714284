import { snippetsOf } from './snippets.pure.js';

const FACTS = {
  gatewayUrl: 'http://localhost:3000',
  clientToken: 'pct_abc',
  clientId: 'k3v9',
  reference: 'COFFEE-123456',
};

describe('snippetsOf', () => {
  it.each(snippetsOf(FACTS))('$name: at most nine lines with everything that is needed', ({ code }) => {
    expect(code.split('\n').length).toBeLessThanOrEqual(9);
    for (const value of [
      'http://localhost:3000/api/payment/checkout',
      'pct_abc',
      'k3v9',
      'COFFEE-123456-attempt-1',
    ])
      expect(code).toContain(value);
  });

  it('curl sends JSON', () => {
    const [, body = ''] = / -d '([^']+)'/.exec(snippetsOf(FACTS)[0]?.code ?? '') ?? [];
    expect(JSON.parse(body)).toEqual({
      amount: 2500,
      currencyCode: 'USD',
      reference: 'COFFEE-123456',
      referenceLabel: 'Coffee',
      clientId: 'k3v9',
    });
  });
});
