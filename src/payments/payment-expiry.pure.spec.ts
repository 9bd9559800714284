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
    ['nothing came and its chain was read past the end', {}, 'announce'],
    ['it never had an address', { seenUntil: [] }, 'announce'],
    ['the application asked for it in the last second', { wantedSince: after(-1) }, 'announce'],
    ['the application does not ask for it', { wantedSince: null }, 'never'],
    ['the application asked for it the moment that the link ended', { wantedSince: ENDED }, 'never'],
    ['the application asked for it afterwards', { wantedSince: after(1) }, 'never'],
    ['it is announced already', { isAnnounced: true }, 'never'],
    ['funds are there', { hasFunds: true }, 'wait'],
    ['it was found', { status: 'FOUND', hasFunds: true }, 'wait'],
    ['its chain was read to the end of the link and no further', { seenUntil: [ENDED] }, 'wait'],
    ['its chain was read to a second before the grace is over', { seenUntil: [after(59)] }, 'wait'],
    ['its chain was never read, or is halted', { seenUntil: [null] }, 'wait'],
    ['one of several chains lags behind', { seenUntil: [SEEN, after(-600)] }, 'wait'],
    ['one of several chains is halted', { seenUntil: [null, SEEN] }, 'wait'],
    ['funds are there and nobody asks', { hasFunds: true, wantedSince: null }, 'never'],
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
