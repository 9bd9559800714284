import {
  type ExpiredLink,
  EXPIRY_GRACE_SECONDS,
  decideExpiry,
  secondsToNextCheck,
} from './payment-expiry.pure.js';

const ENDED = new Date('2026-01-15T10:00:00Z');
const after = (seconds: number) => new Date(ENDED.getTime() + seconds * 1_000);
const SEEN = after(EXPIRY_GRACE_SECONDS);
const link = (changes: Partial<ExpiredLink> = {}): ExpiredLink => ({
  status: 'OPEN',
  expiresAt: ENDED,
  hasFunds: false,
  isAnnounced: false,
  wantedSince: after(-3_600),
  seenUntil: [SEEN],
  ...changes,
});

describe('decideExpiry', () => {
  it.each<[string, Partial<ExpiredLink>, ReturnType<typeof decideExpiry>]>([
    ['nothing arrived and its chain was read past the expiry', {}, 'announce'],
    ['it never had an address', { seenUntil: [] }, 'announce'],
    ['the application subscribed in the last second', { wantedSince: after(-1) }, 'announce'],
    ['the application is not subscribed', { wantedSince: null }, 'never'],
    ['the application subscribed at the moment of expiry', { wantedSince: ENDED }, 'never'],
    ['the application subscribed afterwards', { wantedSince: after(1) }, 'never'],
    ['it is announced already', { isAnnounced: true }, 'never'],
    ['there are funds', { hasFunds: true }, 'wait'],
    ['it was found', { status: 'FOUND', hasFunds: true }, 'wait'],
    ['its chain was read up to the expiry and no further', { seenUntil: [ENDED] }, 'wait'],
    [
      'its chain was read up to a second before the end of the grace period',
      { seenUntil: [after(59)] },
      'wait',
    ],
    ['its chain was never read, or is halted', { seenUntil: [null] }, 'wait'],
    ['one of several chains lags behind', { seenUntil: [SEEN, after(-600)] }, 'wait'],
    ['one of several chains is halted', { seenUntil: [null, SEEN] }, 'wait'],
    [
      'there are funds, and the application is not subscribed',
      { hasFunds: true, wantedSince: null },
      'never',
    ],
  ])('%s', (_what, changes, verdict) => {
    expect(decideExpiry(link(changes))).toBe(verdict);
  });
});

describe('secondsToNextCheck', () => {
  it.each([
    [60, 15],
    [400, 100],
    [2_400, 600],
    [86_400, 600],
    [-5, 15],
  ])('%d seconds after the end of the link is %d', (overdue, seconds) => {
    expect(secondsToNextCheck(ENDED, after(overdue))).toBe(seconds);
  });
});
