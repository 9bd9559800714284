import {
  type Budget,
  accountBudget,
  failureBudget,
  guessBudget,
  type GuessKind,
  passwordBudgets,
  storedStanding,
} from './brute-force-throttle.pure.js';
import { costOf } from './rate-limit.pure.js';

const LIMITS = { failedAuth: 20, signIn: 5, account: 20, password: 60 };
const NOW_MS = 1_795_224_000_000;
const NOW = NOW_MS * 1_000;

const textOf = ({ kind, policy }: Budget) =>
  `${kind}: ${policy.name} ${policy.quota}/${policy.windowSeconds}`;

describe('failureBudget', () => {
  it.each([
    ['token', 'token: failed-auth 20/60'],
    ['client', 'client: failed-auth 20/60'],
    ['password', 'password: failed-auth 20/60'],
    ['account', 'account: sign-in 5/60'],
  ] as const)('of kind %s is %s', (kind, expected) => {
    const budget = failureBudget(kind, '192.0.2.1', LIMITS);
    expect(budget && textOf(budget)).toBe(expected);
  });

  it('is null where the limit is switched off', () => {
    expect(failureBudget('token', '192.0.2.1', { ...LIMITS, failedAuth: 0 })).toBeNull();
    expect(failureBudget('account', 'hash', { ...LIMITS, signIn: 0 })).toBeNull();
  });
});

describe('passwordBudgets', () => {
  const subjects = (account: string, address: string) =>
    passwordBudgets(account, address, LIMITS).map(({ subject }) => subject);

  it('are those of the address and of the account at that address', () => {
    expect(passwordBudgets('a@example.test', '192.0.2.1', LIMITS).map(textOf)).toEqual([
      'password: failed-auth 20/60',
      'account: sign-in 5/60',
    ]);
  });

  it('do not contain what was typed', () => {
    expect(subjects('a@example.test', '192.0.2.1').join()).not.toContain('example');
  });

  it.each([
    ['another spelling of the address', ' A@Example.test ', '192.0.2.1', true],
    ['another account', 'b@example.test', '192.0.2.1', false],
    ['another client', 'a@example.test', '192.0.2.2', false],
  ])('of %s', (_what, account, address, isSame) => {
    const [, original] = subjects('a@example.test', '192.0.2.1');
    expect(subjects(account, address)[1] === original).toBe(isSame);
  });

  it('leave out what is switched off', () => {
    expect(passwordBudgets('a@example.test', '192.0.2.1', { ...LIMITS, failedAuth: 0, signIn: 0 })).toEqual(
      [],
    );
  });
});

describe('accountBudget', () => {
  it.each([
    ['account-total', 'account-total: account 20/3600'],
    ['known-browser', 'known-browser: known-browser 20/3600'],
  ] as const)('of kind %s is %s', (kind, expected) => {
    const budget = accountBudget(kind, 'a-subject', LIMITS);
    expect(budget && [budget.subject, textOf(budget)]).toEqual(['a-subject', expected]);
  });

  it('is null where the limit is switched off', () => {
    expect(accountBudget('account-total', 'a-subject', { ...LIMITS, account: 0 })).toBeNull();
  });
});

describe('guessBudget', () => {
  it.each<[GuessKind, number, number]>([
    ['current-password', 10, 60],
    ['second-factor', 5, 600],
    ['second-factor-confirmation', 10, 60],
  ])('of %s has %i guesses, and one more each %i s', (kind, quota, seconds) => {
    const budget = guessBudget(kind, 'a-user', LIMITS);
    expect([budget?.subject, budget?.policy.quota, budget && costOf(budget.policy) / 1_000_000]).toEqual([
      'a-user',
      quota,
      seconds,
    ]);
  });

  it.each([
    [0, undefined],
    [1, 1],
    [60, 10],
  ])('of the current password follows its setting, %i an hour', (password, quota) => {
    expect(guessBudget('current-password', 'a-user', { ...LIMITS, password })?.policy.quota).toBe(quota);
  });
});

describe('storedStanding', () => {
  const budget = guessBudget('second-factor-confirmation', 'a-user', LIMITS) as Budget;
  const ahead = (seconds: number) => new Date(NOW_MS + seconds * 1_000);

  it.each<[string, Date | null, number, number | null]>([
    ['nothing is stored', null, 10, null],
    ['it was whole before', ahead(-5), 10, null],
    ['one was taken', ahead(60), 9, null],
    ['all but one were taken', ahead(540), 1, null],
    ['all were taken', ahead(600), 0, 60],
    ['all were taken 30 s ago', ahead(570), 0, 30],
    ['a clock was a little ahead', ahead(1_200), 0, 60],
    ['a clock was wrong', ahead(1_201), 10, null],
  ])('when %s', (_what, restoredAt, remaining, retryAfterSeconds) => {
    expect(storedStanding(budget, restoredAt, NOW)).toMatchObject({ remaining, retryAfterSeconds });
  });
});
