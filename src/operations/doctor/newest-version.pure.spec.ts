import {
  isNewer,
  newestVersionOf,
  readAnswer,
  readVersion,
  type VersionRecord,
} from './newest-version.pure.js';
import { assessVersion } from './version-findings.js';

it.each([
  ['0.2.0', '0.2.0'],
  ['v0.2.0', '0.2.0'],
  ['1.0.0-rc.1', '1.0.0-rc.1'],
  ['v1.0.0-rc.1+build.7', '1.0.0-rc.1'],
  ['99999999999999999999.0.0', '99999999999999999999.0.0'],
  ['', null],
  ['1.2', null],
  ['1.2.3.4', null],
  ['01.2.3', null],
  ['1.2.3-', null],
  ['1.2.3-a..b', null],
  ['1.2.3 ', null],
  ['1.2.3\n', null],
  ['-1.2.3', null],
  ['1.2.x', null],
  ['latest', null],
  ['<b>1.2.3</b>', null],
  ['١.٢.٣', null],
  [`1.2.${'3'.repeat(60)}`, `1.2.${'3'.repeat(60)}`],
  [`1.2.${'3'.repeat(61)}`, null],
  ['1'.repeat(1_000_000), null],
])('reads the version of %.40j', (text, version) => {
  expect(readVersion(text)).toBe(version);
});

it.each([
  ['a file of our own', '{"version": "0.2.0"}', '0.2.0'],
  [
    'GitHub and Gitea',
    '{"tag_name":"v0.2.0","name":"Zero two","draft":false,"prerelease":false,"assets":[]}',
    '0.2.0',
  ],
  ['both, of which the tag counts', '{"tag_name":"v0.3.0","version":"0.2.0"}', '0.3.0'],
  ['nothing', '', null],
  ['a page', '<!doctype html><title>0.2.0</title>', null],
  ['a refusal', '{"message":"API rate limit exceeded"}', null],
  ['null', 'null', null],
  ['a text alone', '"0.2.0"', null],
  ['a list', '[{"tag_name":"v0.2.0"}]', null],
  ['a number', '{"version": 0.2}', null],
  ['an object', '{"version": {"major": 0}}', null],
  ['a tag that is none', '{"tag_name":"nightly","version":"0.2.0"}', null],
])('reads the answer of %s', (_title, body, version) => {
  expect(readAnswer(body)).toBe(version);
});

// semver.org 2.0.0, section 11, and beyond.
const ORDER = [
  '0.1.0',
  '0.1.9',
  '0.1.10',
  '0.2.0',
  '1.0.0-1',
  '1.0.0-9',
  '1.0.0-10',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '10.0.0',
  '9007199254740993.0.0',
  '9007199254740994.0.0',
];
const isBefore = (version: string) => version.includes('-');

it('orders versions by their numbers, and those before a release before it', () => {
  for (const [theirs, candidate] of ORDER.entries())
    for (const [ours, running] of ORDER.entries()) {
      const isTold = !isBefore(candidate) || isBefore(running);
      expect([candidate, running, isNewer(candidate, running)]).toEqual([
        candidate,
        running,
        theirs > ours && isTold,
      ]);
    }
});

const NOW = new Date('2026-01-15T12:00:00Z');
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
const ANSWERED: VersionRecord = {
  answeredAt: ago(3),
  version: '0.1.0',
  firstSeenAt: ago(90),
  unknown: null,
  failure: null,
};
const NEWER = { ...ANSWERED, version: '0.2.0' };
const REFUSED = { unknown: 'refused', failure: 'HTTP 403' } as const;
const NEVER_ANSWERED = { answeredAt: null, version: null, firstSeenAt: null };

it.each<[string, VersionRecord | null, boolean, string, string]>([
  [
    'nobody is to be asked, whatever was known before',
    NEWER,
    false,
    'ok',
    '0.1.0; UPDATE_CHECK_URL is empty, so nobody is asked for a newer one',
  ],
  ['nobody was asked yet', null, true, 'ok', '0.1.0; nobody was asked for a newer one yet'],
  [
    'the first question is on its way',
    { ...NEVER_ANSWERED, unknown: null, failure: null },
    true,
    'ok',
    '0.1.0; nobody was asked for a newer one yet',
  ],
  [
    'the first question was refused',
    { ...NEVER_ANSWERED, ...REFUSED },
    true,
    'warning',
    '0.1.0; whether there is a newer one is not known: HTTP 403',
  ],
  ['it is the newest', ANSWERED, true, 'ok', '0.1.0 is up to date, asked 3 hours ago'],
  [
    'it is newer than what was released',
    { ...ANSWERED, version: '0.0.9', answeredAt: ago(1) },
    true,
    'ok',
    '0.1.0 is up to date, asked an hour ago',
  ],
  [
    'the newest is one before a release',
    { ...ANSWERED, version: '0.2.0-rc.1' },
    true,
    'ok',
    '0.1.0 is up to date, asked 3 hours ago',
  ],
  [
    'one question fails',
    { ...ANSWERED, ...REFUSED, answeredAt: ago(48) },
    true,
    'ok',
    '0.1.0 is up to date, asked 48 hours ago',
  ],
  [
    'two questions fail',
    { ...ANSWERED, ...REFUSED, answeredAt: ago(48.1) },
    true,
    'warning',
    '0.1.0; whether there is a newer one is not known: HTTP 403',
  ],
  [
    'no process asks any more',
    { ...ANSWERED, answeredAt: ago(49) },
    true,
    'warning',
    '0.1.0; whether there is a newer one is not known: nobody has asked for too long',
  ],
  ['there is a newer one', NEWER, true, 'warning', '0.1.0; newest 0.2.0, since 2026-01-11'],
  [
    'there was a newer one when somebody answered last',
    { ...NEWER, ...REFUSED, answeredAt: ago(2_000) },
    true,
    'warning',
    '0.1.0; newest 0.2.0, since 2026-01-11',
  ],
])('says when %s', (_title, record, isAsked, severity, found) => {
  const newest = newestVersionOf(record, isAsked, '0.1.0', NOW);
  expect(assessVersion(newest, '0.1.0', NOW)).toMatchObject({ subject: 'version', severity, found });
});
