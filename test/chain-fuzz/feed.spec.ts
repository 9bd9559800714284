import { checkFeed, readFeed, type StoredBody } from './feed.js';

const body = (id: string, payment = 'p', event = 'payment.found') =>
  JSON.stringify({ id, event, payment: { id: payment } });
const stored = (id: string, place: number, changes: Partial<StoredBody> = {}): StoredBody => ({
  id,
  paymentId: 'p',
  place,
  body: body(id),
  isSuperseded: false,
  ...changes,
});
const [A, B, C] = [body('a'), body('b'), body('c')];
const ALL = [stored('a', 2), stored('b', 3), stored('c', 4)];

describe('the check of the feed', () => {
  it.each<[string, string[], string[], StoredBody[], RegExp[]]>([
    ['nothing read before', [], [A, B, C], ALL, []],
    ['more than before', [A], [A, B, C], ALL, []],
    [
      'a superseded event that stays',
      [A, B],
      [A, B, C],
      [stored('a', 2, { isSuperseded: true }), ...ALL.slice(1)],
      [],
    ],
    [
      'a superseded event that was never read',
      [],
      [B],
      [stored('a', 2, { isSuperseded: true }), stored('b', 3)],
      [],
    ],
    [
      'an event that vanished',
      [A, B],
      [B],
      [stored('a', 2, { isSuperseded: true }), stored('b', 3)],
      [/found a of payment p, which was read at place 0, vanished$/],
    ],
    [
      'events that changed places',
      [A, B],
      [B, A],
      ALL.slice(0, 2),
      [/a .*moved to place 1/, /b .*moved to place 0/, /a .*after a later event/],
    ],
    [
      'other bytes',
      [A],
      [A.replace('found', 'expired')],
      [stored('a', 2)],
      [/has other bytes/, /differs from what is stored/],
    ],
    ['an event that is stored and not there', [A], [A], ALL.slice(0, 2), [/found b .*is not in it/]],
    ['an event that is not stored', [], [A], [], [/a .*is not stored/]],
    ['an event that is there twice', [], [A, A], [stored('a', 2)], [/a .*after a later event/]],
  ])('finds what is due in %s', (_what, before, now, events, expected) => {
    expect(checkFeed(before, now, events)).toEqual(expected.map((each) => expect.stringMatching(each)));
  });
});

describe('the reader of the feed', () => {
  const pageOf = (bodies: string[], next: string, hasMore: boolean) =>
    `{"data":[${bodies.join(',')}],"meta":{"cursor":{"next":"${next}","hasMore":${hasMore}}}}`;

  it('follows the cursors to the end', async () => {
    const asked: string[] = [];
    const pages = [pageOf([A, B], '2', true), pageOf([C], '3', false)];
    const { bodies, next } = await readFeed(async (path) => {
      asked.push(path);
      return { text: pages[asked.length - 1] ?? '' };
    }, 2);
    expect(asked).toEqual(['/api/events?limit=2', '/api/events?limit=2&after=2']);
    expect([bodies, next]).toEqual([[A, B, C], '3']);
  });

  it('refuses a page whose events came with other bytes', async () => {
    const spaced = pageOf([A.replace(':', ': ')], '1', false);
    await expect(readFeed(async () => ({ text: spaced }), 2)).rejects.toThrow('not made of the events');
  });
});
