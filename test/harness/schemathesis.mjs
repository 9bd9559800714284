// What a fuzzer that others wrote finds between the document of a running gateway and its answers.
//   node test/harness/schemathesis.mjs           needs network for schemathesis, which it installs in a temporary folder
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { check, expect } from './checks.mjs';
import { fetchOauthToken, isHere, request, run, withProfile } from './development.mjs';

const VERSION = '4.32.5';
/** Seconds; on a free machine it takes 100 to 170. */
const LIMIT = 1_800;
/** What is generated from the same document is the same. Fewer mean that operations were left out. */
const LEAST_CASES = 8_000;

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
];

/** Streams never end; the others take away what the run itself signs in with. */
const EXCLUDED = [
  'streamEvents',
  'streamChanges',
  'streamCheckoutPage',
  'deleteOAuthClient',
  'rotateOAuthClientSecret',
  'endSession',
  'endOtherSessions',
  'changePassword',
  'eraseUser',
  'disableUser',
  'leaveAccount',
  'removeMember',
];

const NO_LIMITS = Object.fromEntries(
  ['READS', 'WRITES', 'USER_READS', 'USER_WRITES', 'PAYMENT', 'ADDRESS', 'POLLS', 'ADDRESS_POLLS']
    .concat(['TOKEN_ENDPOINT', 'TOKENS', 'FAILED_AUTH', 'SIGN_IN', 'ACCOUNT', 'PASSWORD'])
    .map((name) => [`RATE_LIMIT_${name}`, '0']),
);

/** Real ids, so that more is answered than 404. */
function configuration({ application }, payment, token) {
  const parameters = {
    'path.id': application.id,
    'path.siteId': application.siteId,
    'path.paymentId': payment.id,
    'path.family': 'evm',
    'path.provider': 'ethereum',
    'path.method': 'eth',
    'path.slug': 'ethereum',
    'path.code': 'USD',
    'query.expires': payment.link.get('expires'),
    'query.signature': payment.link.get('signature'),
  };
  return [
    `headers = { Authorization = "Bearer ${token}" }`,
    '[parameters]',
    ...Object.entries(parameters).map(([name, value]) => `"${name}" = "${value}"`),
  ].join('\n');
}

await withProfile(
  'schemathesis',
  async ({ facts, work }) => {
    if (!(await isHere(['python3', '-m', 'venv', '--help'], work, 'schemathesis'))) return;
    const st = path.join(work, 'venv/bin/st');
    const isThere = await check(`schemathesis ${VERSION} is installed`, async () => {
      const install = `python3 -m venv venv && venv/bin/pip install -q schemathesis==${VERSION}`;
      const { code, output } = await run('bash', ['-c', install], { cwd: work });
      expect(code === 0, output);
      return true;
    });
    if (!isThere) return;
    const link = new URL(facts.checkoutUrl);
    const payment = { id: link.pathname.split('/').at(-1), link: link.searchParams };
    await writeFile(path.join(work, 'st.toml'), configuration(facts, payment, await fetchOauthToken(facts)));
    const document = await request(`${facts.baseUrl}/api/openapi.json`);
    await writeFile(path.join(work, 'openapi.json'), JSON.stringify(document));
    await check('every answer is as documented', async () => {
      const { code, output } = await run(
        st,
        [
          '--config-file',
          'st.toml',
          'run',
          'openapi.json',
          '--url',
          facts.baseUrl,
          '--no-color',
          '--checks',
          CHECKS.join(','),
          '--phases',
          'examples,coverage,fuzzing',
          '--max-examples',
          '30',
          '--generation-deterministic',
          '--continue-on-failure',
          '--request-timeout',
          '10',
          '-w',
          '2',
          '--suppress-health-check',
          'all',
          '--warnings',
          'off',
          ...EXCLUDED.flatMap((id) => ['--exclude-operation-id', id]),
        ],
        { cwd: work, limit: LIMIT },
      );
      expect(code === 0, output);
      const [, cases = '0'] = /(\d+) generated/.exec(output) ?? [];
      expect(Number(cases) >= LEAST_CASES, `${cases} cases:\n${output}`);
      process.stdout.write(`        ${cases} cases\n`);
    });
  },
  NO_LIMITS,
);
