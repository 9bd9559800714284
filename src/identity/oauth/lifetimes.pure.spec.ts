import { accessSeconds, sessionSeconds } from './lifetimes.pure.js';

const NOW = 1_800_000_000;

describe('a browser session', () => {
  it.each<[string, number | undefined, number]>([
    ['without a sign-in lasts an hour', undefined, 3_600],
    ['lasts an hour after a sign-in', NOW, 3_600],
    ['lasts an hour after it was used', NOW - 10 * 3_600, 3_600],
    ['lasts an hour in the eleventh hour', NOW - 11 * 3_600, 3_600],
    ['ends 12 hours after the sign-in', NOW - 11 * 3_600 - 1, 3_599],
    ['is over after 12 hours', NOW - 12 * 3_600, 1],
    ['is over for good', NOW - 100 * 3_600, 1],
  ])('%s', (_what, signedInAt, seconds) => {
    expect(sessionSeconds(signedInAt, NOW)).toBe(seconds);
  });
});

describe('the access of a client', () => {
  it.each([
    [['authorization_code', 'refresh_token'], 2_592_000],
    [['authorization_code'], 3_600],
  ])('with %j lasts %s', (grantTypes, seconds) => {
    expect(accessSeconds(grantTypes)).toBe(seconds);
  });
});
