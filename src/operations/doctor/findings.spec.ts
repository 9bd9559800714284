import {
  assessEndpoints,
  assessHead,
  assessOutage,
  assessTraces,
  assessTrust,
  assessWatching,
} from './chain-findings.js';
import { assessClock, skewOf } from './clock-findings.js';
import { checkConnections } from './connections-check.js';
import { type DatabaseFacts, assessDatabase } from './database-findings.js';
import { findingsText, reasonOf, type Severity, Subject } from './finding.js';
import { SESSION_TIMEOUTS } from '../../platform/database/session-timeouts.js';
import { assessAnswer, assessCertificate, assessClientAddress } from './public-address-findings.js';
import { assessWebhookSecrets } from './webhook-secrets-check.js';
import { assessBacklog } from './webhooks-check.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

describe('assessDatabase', () => {
  const good: DatabaseFacts = {
    version: '17.2',
    versionNumber: 170_002,
    fsync: true,
    fullPageWrites: true,
    synchronousCommit: 'on',
    maxConnections: 100,
    inRecovery: false,
    sessionTimeouts: SESSION_TIMEOUTS,
    roundTripMs: 1,
    pendingMigrations: [],
  };
  it.each<[string, Partial<DatabaseFacts>, Severity, RegExp]>([
    ['all is well', {}, 'ok', /17\.2.*current/],
    ['15.0 is new enough', { versionNumber: 150_000 }, 'ok', /current/],
    ['14 is not', { versionNumber: 140_999, version: '14.9' }, 'failure', /14\.9 is older/],
    [
      'a timeout that was lost',
      { sessionTimeouts: { ...SESSION_TIMEOUTS, lock_timeout: 0 } },
      'failure',
      /do not keep lock_timeout/,
    ],
    ['a standby', { inRecovery: true }, 'failure', /standby/],
    ['no fsync', { fsync: false }, 'failure', /power failure/],
    ['no full_page_writes', { fullPageWrites: false }, 'failure', /power failure/],
    [
      'no synchronous_commit',
      { synchronousCommit: 'off' },
      'failure',
      /loses writes that were already confirmed/,
    ],
    ['a local commit', { synchronousCommit: 'local' }, 'ok', /current/],
    ['connections for two', { maxConnections: 32 }, 'ok', /current/],
    ['connections for one', { maxConnections: 31 }, 'warning', /do not fit/],
    ['far away', { roundTripMs: 21 }, 'warning', /21 ms/],
    ['empty', { pendingMigrations: null }, 'warning', /no schema/],
    ['old', { pendingMigrations: ['a', 'b'] }, 'warning', /2 migrations.*a first/],
  ])('%s', (_title, changes, severity, found) => {
    const findings = assessDatabase({ ...good, ...changes }, 16);
    expect(findings).toEqual([expect.objectContaining({ severity, found: expect.stringMatching(found) })]);
  });

  it('reports all findings together', () => {
    const worst = { ...good, fsync: false, inRecovery: true, pendingMigrations: null };
    expect(assessDatabase(worst, 16).map(({ severity }) => severity)).toEqual([
      'failure',
      'failure',
      'warning',
    ]);
  });
});

describe('assessClock', () => {
  it.each<[string, number, number, number, Severity]>([
    ['the same', 0, 0.2, 0, 'ok'],
    ['within the rounding of a Date header', 0.9, 1.1, 0, 'ok'],
    ['two seconds ahead', 3, 3.1, 0, 'warning'],
    ['two seconds behind', 0, 0.1, 2.2, 'warning'],
    ['half a minute ahead', 31, 31, 0, 'failure'],
    ['half a minute behind', 0, 0, 30, 'failure'],
    ['a slow answer is no skew', 0, 20, 10, 'ok'],
  ])('%s', (_title, before, after, theirs, severity) => {
    const reading = {
      of: 'x',
      theirs: later(theirs),
      before: later(before),
      after: later(after),
      resolution: 1_000,
    };
    expect(assessClock(reading).severity).toBe(severity);
  });

  it('reports the direction of the difference', () => {
    const reading = { of: 'x', before: NOW, after: NOW, resolution: 0 };
    expect(skewOf({ ...reading, theirs: later(-5) })).toBe(5_000);
    expect(skewOf({ ...reading, theirs: later(5) })).toBe(-5_000);
    expect(assessClock({ ...reading, theirs: later(5) }).found).toBe('it is 5.0 s behind x');
  });
});

describe('assessCertificate', () => {
  const DAY = 86_400;
  it.each<[string, string | null, number, Severity, RegExp, string?]>([
    ['good', null, 60 * DAY, 'ok', /valid until 2026-04-30/],
    ['two weeks left', null, 14 * DAY, 'ok', /valid/],
    ['less', null, 14 * DAY - 1, 'warning', /13 days/],
    ['expired', null, -1, 'failure', /expired/],
    ['expired, which browsers refuse as well', 'CERT_HAS_EXPIRED', -1, 'failure', /expired on/],
    ['refused', 'DEPTH_ZERO_SELF_SIGNED_CERT', 60 * DAY, 'failure', /by itself, and by no authority/],
    ['of another name', 'ERR_TLS_CERT_ALTNAME_INVALID', 60 * DAY, 'failure', /another name/],
    ['refused for a reason without words', 'CERT_UNTRUSTED', 60 * DAY, 'failure', /CERT_UNTRUSTED/],
    [
      'of an own authority, where customers come',
      'SELF_SIGNED_CERT_IN_CHAIN',
      DAY,
      'failure',
      /not a public/,
    ],
    ['of an own authority', 'SELF_SIGNED_CERT_IN_CHAIN', DAY, 'warning', /of your own/, 'pay.internal'],
    [
      'of an own authority, and expired',
      'SELF_SIGNED_CERT_IN_CHAIN',
      -1,
      'failure',
      /expired/,
      'pay.internal',
    ],
    [
      'of another private name',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      DAY,
      'failure',
      /another name/,
      'pay.internal',
    ],
  ])('%s', (_title, refusal, seconds, severity, found, host = 'pay.example') => {
    const finding = assessCertificate({ host, refusal, validTo: later(seconds) }, NOW);
    expect(finding).toMatchObject({ severity, found: expect.stringMatching(found) });
  });
});

describe('assessAnswer', () => {
  it('recognizes the response of this gateway', () => {
    expect(assessAnswer('https://pay.test', { status: 200, isOurs: true }).severity).toBe('ok');
    expect(assessAnswer('https://pay.test', { status: 200, isOurs: false }).severity).toBe('failure');
  });
});

describe('assessClientAddress', () => {
  const FORGED = '192.0.2.213';
  it.each<[string, string | null, boolean, Severity]>([
    ['nothing was counted', null, true, 'warning'],
    ['the forged address', FORGED, true, 'failure'],
    ['the forged address, locally', FORGED, false, 'failure'],
    ['the proxy in Docker’s network', '172.18.0.1', true, 'failure'],
    ['the proxy on this machine', '127.0.0.1', true, 'failure'],
    ['the proxy of an IPv6 network', 'fd00:1:2:3::/64', true, 'failure'],
    ['a public address', '8.8.4.4', true, 'ok'],
    ['a public IPv6 network', '2a00:1450:4001:81b::/64', true, 'ok'],
    ['loopback, where BASE_URL is loopback', '127.0.0.1', false, 'ok'],
  ])('without TRUSTED_PROXIES: %s', (_title, counted, isRemote, severity) => {
    const facts = { forged: FORGED, counted, source: '203.0.113.7', trustedProxies: [], isRemote };
    expect(assessClientAddress(facts).severity).toBe(severity);
  });

  const DOCKER = '172.16.0.0/12';
  it.each<[string, string, string, string[], Severity, RegExp]>([
    [
      'a container, behind a proxy that replaces',
      '172.18.0.3',
      '172.18.0.3',
      [DOCKER],
      'ok',
      /172\.18\.0\.3/,
    ],
    ['a container whose address NAT changes', '172.18.0.1', '172.18.0.3', [DOCKER], 'ok', /172\.18\.0\.1/],
    ['a container, behind a proxy that appends', FORGED, '172.18.0.3', [DOCKER], 'warning', /not decided/],
    [
      'a container, with the range of another network',
      '172.18.0.1',
      '172.18.0.3',
      ['10.0.0.0/8'],
      'failure',
      /share/,
    ],
    [
      'a machine outside, behind a proxy that passes',
      FORGED,
      '203.0.113.7',
      [DOCKER],
      'failure',
      /choose its own/,
    ],
    ['every address is trusted', FORGED, '203.0.113.7', ['0.0.0.0/0'], 'failure', /choose its own/],
    ['the private network of the proxy', '10.0.0.5', '10.0.0.5', ['10.0.0.9'], 'ok', /10\.0\.0\.5/],
    ['a proxy that is not listed', '10.0.0.8', '10.0.0.5', ['10.0.0.9'], 'failure', /share/],
    ['an IPv6 network', 'fd00:1:2:3::/64', 'fd00:1:2:3::7', ['fd00::/8'], 'ok', /fd00/],
    ['an IPv6 address of its own', 'fd00:1:2:3::/64', 'fd00:1:2:3::7', ['::1'], 'ok', /fd00/],
  ])('%s', (_title, counted, source, trustedProxies, severity, found) => {
    expect(
      assessClientAddress({ forged: FORGED, counted, source, trustedProxies, isRemote: true }),
    ).toMatchObject({ severity, found: expect.stringMatching(found) });
  });
});

describe('assessHead', () => {
  it.each<[string, number, number, boolean, Severity]>([
    ['fresh', 12, 30, false, 'ok'],
    ['from a clock ahead of ours', 12, -3, false, 'ok'],
    ['old', 12, 6 * 3_600, false, 'failure'],
    ['of a node that says that it is syncing', 600, 30, true, 'failure'],
  ])('%s', (_title, averageBlockSeconds, age, isSyncing, severity) => {
    const head = { height: 7, headTime: later(-age), isSyncing, blocksLeft: null };
    const finding = assessHead({ slug: 'x', averageBlockSeconds }, head, 10, NOW);
    expect(finding.severity).toBe(severity);
    if (severity === 'failure') expect(finding.found).toMatch(/catching up.* blocks are left$/);
  });
});

describe('assessOutage', () => {
  const traced = { capabilities: { native: 'trace_block' } };
  it.each<[string, number, number | undefined, (typeof traced)[], string]>([
    ['a pruned node of Bitcoin', 600, 288, [], 'keeps 288 blocks: an outage may last about 2 days'],
    ['Ethereum with traces', 12, undefined, [traced], '128 blocks: an outage may last about 26 minutes'],
    ['nodes that keep everything', 600, undefined, [], ''],
  ])('%s', (_title, averageBlockSeconds, kept, endpoints, text) => {
    const found = assessOutage({ slug: 'x', averageBlockSeconds }, kept, endpoints);
    expect(found.map((one) => one.found).join()).toContain(text);
    expect(found).toHaveLength(text === '' ? 0 : 1);
  });
});

describe('assessEndpoints', () => {
  it.each<[string, string[], Severity[]]>([
    ['ok', [], []],
    ['ok', ['traces'], ['warning']],
    ['limited', [], ['warning']],
    ['lagging', [], ['warning']],
    ['resting', [], ['warning']],
    ['refused', ['traces'], ['warning', 'warning']],
  ])('an endpoint that is %s and lacks %j', (state, needs, severities) => {
    const endpoint = { position: 1, state, lastError: 'HTTP 429', needs };
    expect(assessEndpoints('x', [endpoint]).map(({ severity }) => severity)).toEqual(severities);
  });
});

describe('assessTraces', () => {
  const endpoint = (native: string) => ({ state: 'ok', capabilities: { native } });
  it('says nothing where an endpoint has traces, or the chain needs none', () => {
    for (const endpoints of [[], [endpoint('transactions'), endpoint('trace_block')]])
      expect(assessTraces({ slug: 'x' }, endpoints)).toEqual([]);
  });

  it('warns where no endpoint has traces, whether the coin is offered or not', () => {
    const textOf = (nativeOffer: 'traced' | 'always') =>
      findingsText(assessTraces({ slug: 'x', nativeOffer }, [endpoint('transactions')]));
    expect(textOf('traced')).toContain('so checkout does not offer it');
    expect(textOf('always')).toContain('no endpoint has traces');
    expect(textOf('always')).not.toContain('does not offer');
  });
});

describe('assessTrust', () => {
  const large = new Map([['native', 1n]]);
  const chain = { slug: 'x', testnet: false };
  it('warns where one endpoint decides about large transfers', () => {
    expect(assessTrust(chain, [{}]).map(({ severity }) => severity)).toEqual(['warning']);
    expect(findingsText(assessTrust(chain, [{}]))).toContain('CHAIN_X_RPC_URL');
  });

  it.each([
    ['two agree', { ...chain, agreeFrom: large }, [{}, {}]],
    ['blocks prove them', { ...chain, proveFrom: large }, [{}]],
    ['nothing is at risk', { ...chain, testnet: true }, [{}]],
    ['the chain is not read through endpoints', chain, []],
  ])('says nothing where %s', (_why, about, endpoints) => {
    expect(assessTrust(about, endpoints)).toEqual([]);
  });
});

describe('assessWatching', () => {
  it.each<['ok' | 'unknown' | 'unwatched' | 'halted' | 'unreachable' | 'stalled', Severity]>([
    ['ok', 'ok'],
    ['unknown', 'warning'],
    ['unwatched', 'failure'],
    ['halted', 'failure'],
    ['unreachable', 'failure'],
    ['stalled', 'failure'],
  ])('%s', (state, severity) => {
    const status = { state, condition: null, halted: null, stallSeconds: null };
    expect(assessWatching('x', status).map((finding) => finding.severity)).toEqual([severity]);
  });
});

describe('assessBacklog', () => {
  it('distinguishes blocked, paused and given-up deliveries', () => {
    expect(assessBacklog({ paused: 0, blocked: 0, exhausted: 0 }).map((f) => f.severity)).toEqual(['ok']);
    expect(assessBacklog({ paused: 1, blocked: 2, exhausted: 3 }).map((f) => f.severity)).toEqual([
      'failure',
      'warning',
      'warning',
    ]);
  });
});

describe('assessWebhookSecrets', () => {
  it('names the applications of malformed secrets, and counts those beyond twenty', () => {
    expect(assessWebhookSecrets([]).map((f) => f.severity)).toEqual(['ok']);
    const [one] = assessWebhookSecrets(['an-id']);
    expect(one).toMatchObject({ severity: 'warning', found: expect.stringContaining('application an-id') });
    const many = assessWebhookSecrets(Array.from({ length: 23 }, (_, index) => `id-${index}`));
    expect(many).toHaveLength(21);
    expect(many.at(-1)?.found).toBe('the same holds for 3 more applications');
  });
});

describe('findings', () => {
  it('are printed with their fixes and counted', () => {
    const about = new Subject('clock');
    const text = findingsText([
      about.ok('fine'),
      about.warning('slow', 'wait'),
      about.failure('gone', 'look'),
    ]);
    expect(text).toContain('warning  clock');
    expect(text).toMatch(/→ do +wait\n/);
    expect(text.trimEnd().split('\n').at(-1)).toBe('1 ok, 1 warnings, 1 failures');
  });

  it.each([
    ['a plain error', new Error('plain'), 'plain'],
    ['of fetch', new Error('fetch failed', { cause: new Error('ECONNREFUSED') }), 'ECONNREFUSED'],
    ['of several addresses', new AggregateError([new Error('first'), new Error('second')]), 'first'],
    ['no error at all', 'text', 'text'],
  ])('include the reason: %s', (_title, error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});

describe('checkConnections', () => {
  it.each<[number | null, Severity, RegExp]>([
    [20_000, 'ok', /4096 clients, and 20000 open files/],
    [8_192, 'ok', /8192/],
    [8_191, 'warning', /MAX_CONNECTIONS is 4096, and a process may open 8191 files/],
    [null, 'ok', /unknown/],
  ])('with %s open files', (openFiles, severity, found) => {
    const finding = checkConnections({ total: 4_096, perAddress: 512 }, openFiles);
    expect([finding.severity, finding.found]).toEqual([severity, expect.stringMatching(found)]);
  });
});
