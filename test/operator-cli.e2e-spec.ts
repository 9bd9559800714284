import { runCli } from '../src/cli.js';
import { clientCredentials, TOKEN_PATH } from './support/merchant-api.js';
import { sendRequest } from './support/api-request.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application();
});
afterAll(() => shop.close());

async function cli(...args: string[]) {
  const [output, errors]: [string[], string[]] = [[], []];
  const code = await runCli(args, shop.gateway.environment, {
    input: (async function* () {})(),
    write: (text) => output.push(text),
    writeError: (text) => errors.push(text),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}
const acts = async (act: string) =>
  shop.gateway.sql.query<{ actor_kind: string; target_id: string; details: object }>(
    `select actor_kind, target_id, details::jsonb - 'rows' as details from audit_log where act = $1 order by seq`,
    [act],
  );

describe('payment', () => {
  it('tells the story of a payment, from its address to the delivery', async () => {
    const payment = await shop.createPayment(application, { reference: 'ORDER-7' });
    const instructions = await shop.instructions(payment, 'usdc');
    const hash = await shop.send(instructions);
    await shop.mine(CONFIRMATIONS);
    const { code, output, errors } = await cli('payment', '--id', payment.id);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('status:      CONFIRMED');
    expect(output).toMatch(
      new RegExp(`^address: +${instructions.address} \\(evm, key \\w{8}, path 0/\\d+\\)$`, 'm'),
    );
    expect(output).toMatch(new RegExp(`transfer  confirmed  100.000000 USDC  on ethereum  in ${hash}`));
    expect(output).toMatch(/status {4}RECEIVED -> CONFIRMED/);
    expect(output).toMatch(/event {5}payment\.received {2}delivery SUCCEEDED, attempts 1/);
  });

  it.each([
    ['is not an id', 'ORDER-7', 2, 'must be the id of a payment'],
    ['is of no payment', '00000000-0000-7000-8000-000000000000', 1, 'not found'],
  ])('says so when the argument %s', async (_what, id, expected, words) => {
    const { code, output, errors } = await cli('payment', '--id', id);
    expect([code, output]).toEqual([expected, '']);
    expect(errors).toContain(words);
  });
});

describe('replay-webhooks', () => {
  it('delivers what has failed, of every application, with an entry for each in the audit log', async () => {
    const others = await shop.application({ name: 'Other shop' });
    const payments = [await shop.createPayment(application), await shop.createPayment(others)];
    shop.merchant.always({ status: 500 });
    for (const payment of payments) await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    shop.merchant.always({ status: 200 });
    const before = (await acts('deliveries.replayed')).length;
    const { code, output } = await cli('replay-webhooks', '--since', '2020-01-01T00:00:00Z');
    expect([code, output.split('\n').at(-2)]).toEqual([0, 'deliveries that are due now: 2']);
    for (const { id } of [application, others]) expect(output).toContain(`${id}: 1`);
    expect((await acts('deliveries.replayed')).slice(before)).toMatchObject(
      [application.id, others.id].sort().map((target_id) => ({ actor_kind: 'operator', target_id })),
    );
    // The command has the time of the machine.
    await shop.wait(600);
    await shop.deliver();
    for (const payment of payments) expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it.each(['yesterday', '2026-01-15', '2026-13-01T00:00:00Z', '2026-01-15T10:00:00'])(
    'refuses %s, which is no time with a zone',
    async (since) => {
      const { code, errors } = await cli('replay-webhooks', '--since', since);
      expect([code, errors]).toEqual([2, expect.stringContaining('--since must be a time')]);
    },
  );
});

describe('resume-chain', () => {
  it('ends a halt once, and the watcher goes on', async () => {
    await shop.gateway.sql.query(
      `update chain_cursors set halted_at = now(), halt_reason = 'deep fork' where chain = 'ethereum'`,
    );
    const payment = await shop.createPayment(application);
    expect((await cli('resume-chain', '--chain', 'ethereum')).output).toContain('halted for: deep fork');
    expect(await acts('chain.resumed')).toEqual([
      { actor_kind: 'operator', target_id: 'ethereum', details: { reason: 'deep fork' } },
    ]);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    const again = await cli('resume-chain', '--chain', 'ethereum');
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('not halted')]);
    expect(await acts('chain.resumed')).toHaveLength(1);
  });

  it('names the configured chains when it is none of them', async () => {
    const { code, errors } = await cli('resume-chain', '--chain', 'moon');
    expect([code, errors]).toEqual([2, expect.stringContaining('one of the configured chains: ethereum')]);
  });
});

describe('rotate-oauth-client', () => {
  it('prints another secret once, and refuses the old one at once', async () => {
    const { clientId, clientSecret } = shop.owner;
    const status = async (secret: string) =>
      (
        await sendRequest(`${shop.gateway.baseUrl}${TOKEN_PATH}`, {
          body: clientCredentials({ clientId, secret }),
        })
      ).status;
    expect(await status(clientSecret)).toBe(200);
    const { code, output } = await cli('rotate-oauth-client', '--client-id', clientId);
    const [, secret = ''] = /^client secret: (\S+)/m.exec(output) ?? [];
    expect([code, secret.length]).toEqual([0, 43]);
    expect([await status(clientSecret), await status(secret)]).toEqual([401, 200]);
    expect((await acts('oauth_client.changed')).at(-1)).toEqual({
      actor_kind: 'operator',
      target_id: clientId,
      details: { secretRotated: true },
    });
  });

  it.each(['unknown', 'dashboard', '../x'])('refuses %s, which has no secret to change', async (clientId) => {
    const { code, errors } = await cli('rotate-oauth-client', '--client-id', clientId);
    expect([code, errors]).toEqual([2, expect.stringContaining('no client')]);
  });
});
