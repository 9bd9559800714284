import {
  type Difference,
  inBoth,
  isConsistent,
  NOTHING,
  ReportBuilder,
} from './reconciliation-report.pure.js';
import { reconciliationText } from './reconciliation-view.pure.js';

const at = new Date('2026-05-01T00:00:00Z');
const difference = (changes: Partial<Difference> = {}): Difference => ({
  check: 'amounts',
  chain: null,
  paymentId: 'p1',
  subject: 'receivedAmount',
  expected: '2',
  found: '1',
  ...changes,
});
const deposit = {
  paymentId: 'p1',
  chain: 'ethereum',
  address: '0xcc',
  txHash: '0xaa',
  ordinal: 'log:0',
  asset: '0xdd',
  currencyCode: 'USDC',
  amount: 1_500_000n,
  decimals: 6,
  state: 'confirmed',
};

describe('a report', () => {
  it('sums batches and lists at most the requested number of differences', () => {
    const report = new ReportBuilder(at, 3);
    for (const subject of ['a', 'b'])
      report.add({
        counts: { ...NOTHING, payments: 2, balances: 5 },
        differences: [difference({ subject }), difference({ subject: `${subject}2` })],
        unattributed: [deposit, deposit],
      });
    expect(report.build(at)).toMatchObject({
      checked: { payments: 4, balances: 10, transfers: 0 },
      differences: [{ subject: 'a' }, { subject: 'a2' }, { subject: 'b' }],
      differenceCount: 4,
      unattributed: [deposit, deposit, deposit],
      unattributedCount: 4,
    });
  });

  it.each<[name: string, change: (report: ReportBuilder) => void, consistent: boolean, result: string]>([
    ['nothing found', () => undefined, true, 'consistent'],
    [
      'unattributed deposits only',
      (report) => report.add({ counts: NOTHING, differences: [], unattributed: [deposit] }),
      true,
      'consistent',
    ],
    ['a difference', (report) => report.addDifference(difference()), false, 'DIFFERENT'],
    [
      'something left out',
      (report) => report.leaveOut('ethereum: silent'),
      false,
      'INCOMPLETE, no difference in what was compared',
    ],
  ])('%s', (_name, change, consistent, result) => {
    const builder = new ReportBuilder(at, 10);
    change(builder);
    const report = builder.build(at);
    expect(isConsistent(report)).toBe(consistent);
    expect(reconciliationText(report)).toMatch(new RegExp(`\\nResult: ${result}\\n$`));
  });

  it('lists each reason once, up to a limit', () => {
    const report = new ReportBuilder(at, 10);
    for (let i = 0; i < 1_000; i++) report.leaveOut(`reason ${i % 500}`);
    expect(report.build(at).notChecked).toHaveLength(50);
    const other = new ReportBuilder(at, 10);
    for (let i = 0; i < 3; i++) other.leaveOut('the same');
    expect(other.build(at).notChecked).toEqual(['the same']);
  });

  it('is formatted as text', () => {
    const builder = new ReportBuilder(at, 1);
    builder.chains.push({ chain: 'ethereum', height: 12, hash: '0x', isHalted: true, problem: null });
    builder.chains.push({ chain: 'base', height: null, hash: null, isHalted: false, problem: 'silent' });
    builder.add({
      counts: { ...NOTHING, payments: 1 },
      differences: [difference({ chain: 'ethereum' }), difference()],
      unattributed: [deposit],
    });
    expect(reconciliationText(builder.build(at))).toContain(
      [
        'Chains',
        '  ethereum: block 12, halted, compared',
        '  base: not started, silent',
        'Checked',
        '  1 payments with 0 status entries, 0 events and 0 quotes',
      ].join('\n'),
    );
    expect(reconciliationText(builder.build(at))).toContain(
      [
        'Differences: 2',
        '  amounts: ethereum, payment p1, receivedAmount',
        '    expected: 2',
        '    found:    1',
        '  and 1 more',
        'Unattributed deposits: 1',
        '  1.500000 USDC on ethereum, transaction 0xaa, payment p1',
      ].join('\n'),
    );
  });
});

describe('two readings', () => {
  it('report only the differences found by both, with the values of the second', () => {
    const [steady, gone, fresh] = [
      difference(),
      difference({ subject: 'gone' }),
      difference({ subject: 'new' }),
    ];
    const later = { ...steady, found: '0' };
    expect(inBoth([steady, gone], [later, fresh])).toEqual([later]);
  });

  it.each([
    { check: 'status' },
    { chain: 'base' },
    { paymentId: 'p2' },
    { paymentId: null },
    { subject: 's' },
  ])('do not agree when their differences have another %j', (changes) => {
    expect(inBoth([difference()], [difference(changes)])).toEqual([]);
  });
});
