/**
 * @inOrder All refusals come first: they compare every row of every table, and what is accepted afterwards adds thousands.
 */
import { OAUTH_ROUTES } from '../src/identity/oauth/oidc-provider.js';
import { expectedOf } from './support/authorization-answers.js';
import { OAUTH_ROWS, type Principal, PRINCIPALS, type Row, ROWS } from './support/authorization-matrix.js';
import { AuthorizationHarness, type CellAnswer } from './support/authorization-harness.js';
import { type TenantFixtures, createMissing } from './support/tenant-fixtures.js';
import { digestTables } from './support/table-digest.js';

let harness: AuthorizationHarness;
let cells = 0;
beforeAll(async () => {
  harness = await AuthorizationHarness.open();
});
afterAll(async () => {
  await harness.close();
  const rows = ROWS.length + OAUTH_ROWS.length;
  process.stdout.write(
    `authorization: ${rows} routes x ${PRINCIPALS.length} principals, ${cells} requests\n`,
  );
});

const everybody: readonly Principal[] = PRINCIPALS;
const statusOf = (outcome: number | string) => Number(String(outcome).slice(0, 3));
const isDenied = (row: Row, principal: Principal) => statusOf(expectedOf(row, principal).outcome) >= 400;
/** Strangers and people without a token; for them there is no difference between foreign and missing. */
const isOutsider = (row: Row, principal: Principal) => {
  const status = statusOf(expectedOf(row, principal).outcome);
  return status === 401 || status === 403 || ('standing' in principal && principal.standing === 'stranger');
};

function ask(row: Row, { name }: Principal, ids: TenantFixtures, linked = false): Promise<CellAnswer> {
  cells += 1;
  return harness.ask(row, name, ids, linked);
}

/** Compared as one object a row, so that a failure shows every cell that is off. */
async function byName<T>(principals: readonly Principal[], look: (one: Principal) => Promise<T>) {
  const seen = await Promise.all(
    principals.map(async (one): Promise<[string, T]> => [one.name, await look(one)]),
  );
  return Object.fromEntries(seen);
}

function expectAsTheRowSays(row: Row, answers: Record<string, CellAnswer>): void {
  const isAsked = ({ name }: Principal) => name in answers;
  const wanted = everybody.filter(isAsked).map((one) => [one.name, expectedOf(row, one)] as const);
  const seen = wanted.map(([name, { outcome, message }]) => {
    const answer = answers[name];
    return [
      name,
      {
        outcome: typeof outcome === 'number' ? statusOf(answer?.outcome ?? '') : answer?.outcome,
        challenge: answer?.challenge,
        message: message === null ? null : answer?.message?.slice(0, message.length),
      },
    ] as const;
  });
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(wanted));
}

describe('the table', () => {
  function registeredRoutes(): string[] {
    const { router } = harness.gateway.app.getHttpAdapter().getInstance() as {
      router: { stack: { route?: { path: string; methods: Record<string, boolean> } }[] };
    };
    return router.stack.flatMap(({ route }) =>
      Object.keys(route?.methods ?? {}).map((method) => `${method.toUpperCase()} ${route?.path}`),
    );
  }

  it('has a row for every route of the running gateway, and no other', () => {
    const [registered, tabled] = [new Set(registeredRoutes()), new Set(ROWS.map(({ route }) => route))];
    expect(registered.size).toBeGreaterThan(30);
    const missing = [...registered].filter((route) => !tabled.has(route));
    const orphaned = [...tabled].filter((route) => !registered.has(route));
    const advice = [
      ...missing.map(
        (route) =>
          `${route} has no line. Add to ROWS in test/support/authorization-matrix.ts:\n` +
          `  row('${route}', <access>, <what its owner gets>, <what strangers get>),\n` +
          `  or open('${route}', 200) where it needs no token.\n` +
          '  The kinds of access and outcomes are explained at Access and Outcome; a new :parameter goes into PARAMETERS.',
      ),
      ...orphaned.map((route) => `${route} is not a route (any more). Take its line out of ROWS.`),
    ];
    expect(advice.join('\n')).toBe('');
  });

  it('has a row for every endpoint of the authorization server, and no other', () => {
    /** Those that oauth-server.ts serves beside its table: steps of a sign-in, and the address of RFC 8414. */
    const others = [
      'GET /api/oauth/authorize/:uid',
      'GET /api/oauth/interaction/:uid',
      'POST /api/oauth/interaction/:uid',
      'GET /.well-known/oauth-authorization-server/api/oauth',
    ];
    const registered = Object.entries(OAUTH_ROUTES).flatMap(([path, methods]) =>
      methods
        .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
        .map((method) => `${method} /api/oauth${path}`),
    );
    expect(OAUTH_ROWS.map(([route]) => route).sort()).toEqual([...registered, ...others].sort());
  });
});

// Conflicts of the owner with a deleted application are denied, and about that one.
const targetOf = (principal: Principal) =>
  'standing' in principal && principal.standing === 'owner of the deleted' ? harness.deleted : harness.home;

function expectNothingOfTheOwners(answers: Record<string, CellAnswer>): void {
  const secrets = Object.values(harness.home);
  for (const { text } of Object.values(answers))
    expect(secrets.filter((id) => text.includes(id))).toEqual([]);
}

/** Nothing runs between two refusals, so what one of them leaves is what the next one finds. */
let digests: Record<string, string> | null = null;
async function expectNoChange(work: () => Promise<void>, leaves: readonly string[] = []): Promise<void> {
  const before = digests ?? (await digestTables(harness.gateway.sql));
  await work();
  const after = await digestTables(harness.gateway.sql);
  digests = after;
  const left = Object.fromEntries(leaves.map((table) => [table, after[table]]));
  expect(after).toEqual({ ...before, ...left });
}

// All refusals come first, while the tables whose every row they compare are short.
describe.each(ROWS)('$route ($access)', (row) => {
  const denied = everybody.filter((principal) => isDenied(row, principal));
  if (denied.length > 0)
    it('refuses principals as the table says, for existing and missing objects alike, without changing anything', async () => {
      const outsiders = denied.filter((one) => isOutsider(row, one));
      let answers: Record<string, CellAnswer> = {};
      let missing: Record<string, CellAnswer> = {};
      await expectNoChange(async () => {
        answers = await byName(denied, (one) => ask(row, one, targetOf(one)));
        missing = await byName(outsiders, (one) => ask(row, one, createMissing()));
      }, row.leaves);
      expectAsTheRowSays(row, answers);
      expect(await byName(outsiders, async ({ name }) => answers[name])).toEqual(missing);
      expectNothingOfTheOwners(missing);
    });
});

describe.each(OAUTH_ROWS)('%s of the authorization server', (route, outcome) => {
  it('responds the same to every principal, without changing anything', async () => {
    const [method = '', path = ''] = route.split(' ');
    let answers: Record<string, string> = {};
    await expectNoChange(async () => {
      answers = await byName(everybody, async ({ name }) => {
        cells += 1;
        return (await harness.fetch(method, path.replace(':uid', 'x'.repeat(21)), name)).outcome;
      });
    });
    expect(answers).toEqual(await byName(everybody, async () => outcome));
  });
});

describe.each(ROWS)('$route ($access)', (row) => {
  const admitted = everybody.filter((principal) => !isDenied(row, principal));
  const guests = admitted.filter((one) => 'standing' in one && one.standing === 'stranger');
  // An operator's view is about everybody.
  const isPrivate = row.access !== 'public' && row.access !== 'operator';
  const isGet = row.route.startsWith('GET ');
  // Instructions give the payment its address.
  const isReading = isGet && row.access !== 'payments.user-instructions.get';
  if (isPrivate && isGet && guests.length > 0)
    it("returns none of the owner's data to other users", async () => {
      const answers = await byName(guests, (one) => ask(row, one, harness.home));
      expect(answers).toEqual(await byName(guests, (one) => ask(row, one, createMissing())));
      expectNothingOfTheOwners(answers);
    });

  if (admitted.length > 0)
    it('accepts the principals that the table lists', async () => {
      const answers: Record<string, CellAnswer> = {};
      for (const one of admitted)
        answers[one.name] = await ask(row, one, isReading ? targetOf(one) : await harness.targetFor(one));
      expectAsTheRowSays(row, answers);
    });

  if (row.access === 'signed link')
    it("accepts the payment's own link, with any token", async () => {
      const isStranger = (id: string) => ({ ...harness.home, paymentId: id });
      const answers = await byName(everybody, (one) => ask(row, one, harness.home, true));
      const statuses = Object.values(answers).map(({ outcome }) => statusOf(outcome));
      expect(statuses).toEqual(everybody.map(() => row.owner));
      const missing = await ask(
        row,
        { name: 'no token', kind: 'none' },
        isStranger(createMissing().paymentId),
        true,
      );
      expect(statusOf(missing.outcome)).toBe(404);
    });
});
