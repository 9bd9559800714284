import type { PaymentAggregate } from '../payment.pure.js';
import { auditParts } from './parts-audit.pure.js';

// 29.08 EUR, quoted as 31.43 USDC: each half is 14.54.
function audit(credited: (bigint | null)[]) {
  const transfers = credited.map((creditedAmount, i) => ({
    txHash: `0x${i}`,
    ordinal: 'log:0',
    amount: 15_715_000n,
    quoteId: 'q1',
    state: 'confirmed',
    isMatched: true,
    seenAt: new Date(i),
    confirmedAt: new Date(i),
    creditedAmount,
  }));
  const quotes = [{ id: 'q1', assetAmount: 31_430_000n }];
  return auditParts({ payment: { amount: 2_908n }, transfers, quotes } as unknown as PaymentAggregate);
}

describe('the audit of parts', () => {
  it('finds nothing in parts that add up', () => {
    expect(audit([1_454n, 1_454n])).toEqual([]);
    expect(audit([])).toEqual([]);
  });

  it.each([
    ['too little', [1_454n, 1_453n], 'creditedAmount of transfer 0x1 log:0', '1454', '1453'],
    ['too much', [1_454n, 1_455n], 'creditedAmount of transfer 0x1 log:0', '1454', '1455'],
    ['none', [1_454n, null], 'creditedAmount of transfer 0x1 log:0', '1454', 'none'],
  ])('finds a part that is %s', (_what, credited, subject, expected, found) => {
    expect(audit(credited)).toEqual([{ check: 'parts', subject, expected, found }]);
  });

  it('finds several at once, and names the first', () => {
    expect(audit([0n, 0n])).toEqual([
      expect.objectContaining({ subject: expect.stringContaining(' and of 1 others') }),
    ]);
  });
});
