import {
  type Difference,
  NOTHING,
  type Report,
  type UnattributedDeposit,
} from './reconciliation-report.pure.js';
import { presentReport, reconciliationText } from './reconciliation-view.pure.js';

const DIFFERENCE: Difference = {
  check: 'balance',
  chain: 'ethereum',
  paymentId: 'p1',
  subject: 'USDC',
  expected: '2',
  found: '1',
};
const DEPOSIT: UnattributedDeposit = {
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
const CHAIN = { chain: 'ethereum', height: 12, hash: '0xee', isHalted: false, problem: null };
const CHECKED = {
  payments: 1,
  statusEntries: 2,
  events: 3,
  quotes: 4,
  transfers: 5,
  transfersOnChain: 6,
  depositAddresses: 7,
  balances: 8,
  balancesSpent: 9,
};

/** A report without a difference; a list also sets its count. */
function report(changes: Partial<Report> = {}): Report {
  return {
    startedAt: new Date('2026-05-01T00:00:00.999Z'),
    finishedAt: new Date('2026-05-01T00:01:00.001Z'),
    scope: { since: null, resumedAt: null, fullAt: null },
    chains: [],
    checked: NOTHING,
    differences: [],
    differenceCount: changes.differences?.length ?? 0,
    unattributed: [],
    unattributedCount: changes.unattributed?.length ?? 0,
    notChecked: [],
    isStopped: false,
    ...changes,
  };
}

const CONSISTENT = { consistent: true, complete: true, result: 'consistent' };
const DIFFERENT = { consistent: false, complete: true, result: 'DIFFERENT' };
const INCOMPLETE = {
  consistent: false,
  complete: false,
  result: 'INCOMPLETE, no difference in what was compared',
};

describe('the result', () => {
  it.each<[string, Partial<Report>, typeof CONSISTENT]>([
    ['nothing was found: consistent', {}, CONSISTENT],
    ['only unattributed deposits: consistent', { unattributed: [DEPOSIT] }, CONSISTENT],
    ['a halted chain that was compared: consistent', { chains: [{ ...CHAIN, isHalted: true }] }, CONSISTENT],
    ['a difference: different', { differences: [DIFFERENCE] }, DIFFERENT],
    ['a difference that is counted and not listed: different', { differenceCount: 1 }, DIFFERENT],
    ['something was left out: incomplete', { notChecked: ['base: silent'] }, INCOMPLETE],
    [
      'a difference, and something was left out: different and incomplete',
      { differences: [DIFFERENCE], notChecked: ['base: silent'] },
      { ...DIFFERENT, complete: false },
    ],
  ])('%s', (_title, changes, { consistent, complete, result }) => {
    expect(presentReport(report(changes))).toMatchObject({ consistent, complete });
    expect(reconciliationText(report(changes)).split('\n').slice(-2)).toEqual([`Result: ${result}`, '']);
  });
});

describe('presentReport', () => {
  it('shows a report without content, with times in whole seconds', () => {
    expect(presentReport(report())).toEqual({
      consistent: true,
      complete: true,
      startedAt: '2026-05-01T00:00:00Z',
      finishedAt: '2026-05-01T00:01:00Z',
      since: null,
      resumedAt: null,
      fullAt: null,
      chains: [],
      checked: NOTHING,
      differenceCount: 0,
      differences: [],
      unattributedCount: 0,
      unattributed: [],
      notChecked: [],
    });
  });

  it('shows every part of a report', () => {
    const { amount: _amount, decimals: _decimals, ...deposit } = DEPOSIT;
    const silent = { chain: 'base', height: null, hash: null, isHalted: true, problem: 'silent' };
    const shown = presentReport(
      report({
        chains: [CHAIN, silent],
        checked: CHECKED,
        differences: [DIFFERENCE],
        differenceCount: 20,
        unattributed: [DEPOSIT],
        unattributedCount: 30,
        notChecked: ['base: silent'],
      }),
    );
    expect(shown).toMatchObject({
      chains: [
        { slug: 'ethereum', height: 12, hash: '0xee', halted: false, problem: null },
        { slug: 'base', height: null, hash: null, halted: true, problem: 'silent' },
      ],
      checked: CHECKED,
      differenceCount: 20,
      differences: [DIFFERENCE],
      unattributedCount: 30,
      unattributed: [deposit],
      notChecked: ['base: silent'],
    });
    expect(Object.keys(shown.unattributed[0] ?? {}).toSorted()).toEqual(
      [...Object.keys(deposit), 'amount'].toSorted(),
    );
  });

  it.each<[string, Partial<UnattributedDeposit>, Record<string, unknown>]>([
    [
      "with the currency's decimals",
      {},
      { amount: 1_500_000n, atomic: '1500000', value: 1.5, formatted: '1.500000 USDC', decimals: 6 },
    ],
    [
      "with the token's own decimals, which differ from the currency's",
      { amount: 15n * 10n ** 17n, decimals: 18 },
      { atomic: '1500000000000000000', value: 1.5, formatted: '1.50000000 USDC', decimals: 18 },
    ],
    [
      'exactly, even beyond what a float holds',
      { currencyCode: 'ETH', amount: 10n ** 30n + 1n, decimals: 18 },
      { amount: 10n ** 30n + 1n, atomic: '1000000000000000000000000000001' },
    ],
  ])('shows the amount of a deposit %s', (_title, changes, amount) => {
    const shown = presentReport(report({ unattributed: [{ ...DEPOSIT, ...changes }] }));
    expect(shown.unattributed[0]?.amount).toMatchObject(amount);
  });

  it('throws on a deposit in an unknown currency', () => {
    const deposit = { ...DEPOSIT, currencyCode: 'NONE' };
    expect(() => presentReport(report({ unattributed: [deposit] }))).toThrow('unknown currency code: NONE');
  });
});

describe('reconciliationText', () => {
  it('prints every part of a report in order', () => {
    const text = reconciliationText(
      report({
        chains: [CHAIN],
        checked: CHECKED,
        differences: [DIFFERENCE],
        unattributed: [DEPOSIT],
        notChecked: ['base: silent', 'tron: silent'],
      }),
    );
    expect(text.split('\n')).toEqual([
      'Compared: all payments',
      'Chains',
      '  ethereum: block 12, compared',
      'Checked',
      '  1 payments with 2 status entries, 3 events and 4 quotes',
      '  5 transfers, 6 of them found on their chain',
      '  7 deposit addresses, 8 balances (9 of addresses that have spent)',
      'Differences: 1',
      '  balance: ethereum, payment p1, USDC',
      '    expected: 2',
      '    found:    1',
      'Unattributed deposits: 1',
      '  1.500000 USDC on ethereum, transaction 0xaa, payment p1',
      'Not checked',
      '  base: silent',
      '  tron: silent',
      'Result: DIFFERENT',
      '',
    ]);
  });

  it.each<[string, Partial<Report['chains'][number]>, string]>([
    ['compared', {}, 'block 12, compared'],
    ['compared at the first block', { height: 0 }, 'block 0, compared'],
    ['compared and halted', { isHalted: true }, 'block 12, halted, compared'],
    ['not compared', { problem: 'silent' }, 'block 12, silent'],
    ['halted and not compared', { isHalted: true, problem: 'silent' }, 'block 12, halted, silent'],
    ['not started', { height: null, hash: null, problem: 'silent' }, 'not started, silent'],
  ])('prints a chain that was %s', (_title, changes, line) => {
    const text = reconciliationText(report({ chains: [{ ...CHAIN, ...changes }] }));
    expect(text).toContain(`Chains\n  ethereum: ${line}\nChecked\n`);
  });

  it.each<[string, Partial<Difference>, string]>([
    ['of a payment on a chain', {}, 'ethereum, payment p1, USDC'],
    ['of a payment without a chain', { chain: null }, 'payment p1, USDC'],
    ['of a chain without a payment', { paymentId: null }, 'ethereum, USDC'],
    ['of neither', { chain: null, paymentId: null }, 'USDC'],
  ])('prints a difference %s', (_title, changes, of) => {
    const text = reconciliationText(report({ differences: [{ ...DIFFERENCE, ...changes }] }));
    expect(text).toContain(`\n  balance: ${of}\n    expected: 2\n`);
  });

  it.each<[string, Partial<Report>, string[]]>([
    ['nothing when all are listed', { differences: [DIFFERENCE], unattributed: [DEPOSIT] }, []],
    [
      'the differences that are not listed',
      { differences: [DIFFERENCE], differenceCount: 3 },
      ['  and 2 more'],
    ],
    ['the deposits that are not listed', { unattributed: [DEPOSIT], unattributedCount: 2 }, ['  and 1 more']],
    ['both', { differenceCount: 4, unattributedCount: 5 }, ['  and 4 more', '  and 5 more']],
  ])('counts %s', (_title, changes, lines) => {
    const printed = reconciliationText(report(changes)).split('\n');
    expect(printed.filter((line) => line.endsWith(' more'))).toEqual(lines);
  });

  it('leaves out the part about what was not checked when everything was', () => {
    expect(reconciliationText(report())).not.toContain('Not checked');
  });
});
