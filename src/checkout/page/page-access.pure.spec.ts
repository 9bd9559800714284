import { type DecidedAccess, decideAccess, LOOK_SECONDS, type PageVisit } from './page-access.pure.js';

const END = 1_773_576_000;
const AFTER = END + 1;
const LAST = END + LOOK_SECONDS;

describe('decideAccess', () => {
  it.each<[string, Partial<PageVisit>, DecidedAccess | null]>([
    ['a valid link', {}, { access: 'pay', mayFollow: true }],
    ['a valid link that was seen before', { hasSeen: true }, { access: 'pay', mayFollow: true }],
    ['an ended link', { link: 'link_expired', now: AFTER }, { access: 'state', mayFollow: true }],
    [
      'an ended link that was seen before its end',
      { link: 'link_expired', now: AFTER, hasSeen: true },
      { access: 'look', mayFollow: true },
    ],
    [
      'the last second of looking',
      { link: 'link_expired', now: LAST, hasSeen: true },
      { access: 'look', mayFollow: true },
    ],
    [
      'the second after it, whatever the browser has',
      { link: 'link_expired', now: LAST + 1, hasSeen: true },
      { access: 'state', mayFollow: false },
    ],
    [
      'a link that ended long ago',
      { link: 'link_expired', now: LAST + 1 },
      { access: 'state', mayFollow: false },
    ],
    ['a forged link', { link: 'invalid_signature' }, null],
    ['a forged link in a browser that saw the payment', { link: 'invalid_signature', hasSeen: true }, null],
    ['a forged link that has ended', { link: 'invalid_signature', hasSeen: true, now: AFTER }, null],
  ])('%s', (_what, visit, decided) => {
    expect(decideAccess({ link: 'valid', linkEnd: END, hasSeen: false, now: END, ...visit })).toEqual(
      decided,
    );
  });
});
