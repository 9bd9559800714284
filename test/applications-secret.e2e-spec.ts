import { randomBytes, randomUUID } from 'node:crypto';
import { UnsealError } from '../src/platform/kernel/keyring.js';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { SigningSecretsService } from '../src/applications/signing-secrets.service.js';
import { APPLICATIONS, ApplicationsApi } from './support/applications-api.js';
import { createOwner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

describe('the webhook secret', () => {
  let gateway: TestGateway;
  let api: ApplicationsApi;

  beforeAll(async () => {
    gateway = await startTestGateway();
    api = new ApplicationsApi(gateway, await createOwner(gateway));
  });

  afterAll(() => gateway.close());

  const secrets = (id: string) => gateway.get(SigningSecretsService).get(id);

  it('loses no secret by another change: a third one is refused until the first has ended', async () => {
    const { id } = await api.create({ secret: 'first secret' });
    expect((await api.put(id, { secret: 'second secret' })).status).toBe(200);
    // Nor is one that is on its way out made the current one again, and nothing else of the request is done.
    for (const secret of ['third secret', 'first secret']) {
      const { status, error, text } = await api.put(id, { secret, name: 'Renamed' });
      expect([status, error.code]).toEqual([409, 'secret_change_pending']);
      expect(error.hint).toContain(`POST ${APPLICATIONS}/${id}/webhook-endpoint/end-previous-secret`);
      expect(text).not.toContain(secret);
    }
    expect((await api.get(id)).data.name).toBe('My Store');
    expect(await secrets(id)).toEqual({ current: 'second secret', previous: 'first secret' });

    const end = `${APPLICATIONS}/${id}/webhook-endpoint/end-previous-secret`;
    expect((await api.call('POST', end)).status).toBe(200);
    expect(await secrets(id)).toEqual({ current: 'second secret', previous: null });
    expect((await api.put(id, { secret: 'third secret' })).status).toBe(200);
    expect(await secrets(id)).toEqual({ current: 'third secret', previous: 'second secret' });
  });

  it('is in no response and in no table as plain text', async () => {
    const canary = 'canary-5f2d9c-secret';
    const next = 'canary-77aa10-secret';
    const { id } = await api.create({ secret: canary });
    const answers = [
      await api.put(id, { secret: next }),
      await api.get(id),
      await api.list(),
      await api.put(id, { secret: next, name: '' }),
      await api.call('POST', APPLICATIONS, { name: 'x', secret: canary }),
      await api.delete(id),
      await api.put(id, { secret: canary }),
      await api.restore(id),
    ];
    const rows = await gateway.sql.query<{ line: string }>(
      `select row_to_json(a)::text as line from payment_applications a
       union all select row_to_json(s)::text from sites s`,
    );
    const everything = [...answers.map(({ text }) => text), ...rows.map(({ line }) => line)].join('\n');
    expect(rows.length).toBeGreaterThan(2);
    expect(everything).toContain(id);
    expect(everything).not.toContain(canary);
    expect(everything).not.toContain(next);
  });

  it.each([
    ['words', 'whsec_of-enough-length-for-us'],
    ['no padding', 'whsec_YWJjZA'],
    ['base64url', 'whsec_-_-_'],
    ['nothing', 'whsec_'],
  ])('that begins with whsec_ followed by %s is refused and not repeated', async (_what, secret) => {
    const { id } = await api.create({ secret: 'plain text' });
    const refusals = [
      await api.call('POST', APPLICATIONS, { name: 'Test shop', secret }),
      await api.put(id, { secret }),
    ];
    for (const { status, error, text } of refusals) {
      expect([status, error.code]).toEqual([422, 'validation_failed']);
      expect(error.errors).toEqual({
        secret: [
          'The secret field begins with whsec_, so padded standard base64 of at least one byte must follow, e.g. whsec_ and ' +
            'the output of `openssl rand -base64 32`.',
        ],
      });
      if (secret !== 'whsec_') expect(text).not.toContain(secret);
    }
    expect(await secrets(id)).toEqual({ current: 'plain text', previous: null });
  });

  it.each(['whsec_YQ==', `whsec_${randomBytes(32).toString('base64')}`, 'WHSEC_any text', 'any whsec_ text'])(
    'can be %s',
    async (secret) => {
      const { id } = await api.create({ secret });
      expect(await secrets(id)).toEqual({ current: secret, previous: null });
    },
  );

  it('cannot be decrypted in another row, and a new secret replaces one that cannot be decrypted', async () => {
    const [a, b] = [await api.create({ secret: 'secret of a' }), await api.create({ secret: 'secret of b' })];
    await gateway.sql.query(
      `update payment_applications set sealed_secret = (select sealed_secret from payment_applications where id = $2)
       where id = $1`,
      [a.id, b.id],
    );
    await expect(secrets(a.id)).rejects.toThrow(UnsealError);
    expect((await api.get(a.id)).status).toBe(200);
    expect((await api.put(a.id, { secret: 'new secret' })).status).toBe(200);
    expect(await secrets(a.id)).toEqual({ current: 'new secret', previous: null });
  });

  it('replaces at once when the previous one cannot be decrypted, and keeps the previous one when it itself cannot', async () => {
    const lose = (id: string, column: string) =>
      gateway.sql.query(
        `update payment_applications set ${column} = 'v1.lost.' || split_part(${column}, '.', 3) || '.a.b' where id = $1`,
        [id],
      );
    const [a, b] = [await api.create({ secret: 'first of a' }), await api.create({ secret: 'first of b' })];
    await api.put(a.id, { secret: 'second of a' });
    await api.put(b.id, { secret: 'second of b' });

    await lose(a.id, 'sealed_previous_secret');
    await expect(secrets(a.id)).rejects.toThrow(UnsealError);
    expect((await api.put(a.id, { secret: 'third of a' })).status).toBe(200);
    expect(await secrets(a.id)).toEqual({ current: 'third of a', previous: 'second of a' });

    await lose(b.id, 'sealed_secret');
    expect((await api.put(b.id, { secret: 'third of b' })).status).toBe(200);
    expect(await secrets(b.id)).toEqual({ current: 'third of b', previous: 'first of b' });
  });

  it('of an unknown application returns 404', async () => {
    await expect(secrets(randomUUID())).rejects.toMatchObject({ code: 'payment_application_not_found' });
  });

  // The last one: the owner's access token lives for an hour.
  it('signs together with the previous one for 24 hours', async () => {
    const { id } = await api.create({ secret: 'first secret' });
    await api.put(id, { secret: 'second secret' });
    expect(await secrets(id)).toEqual({ current: 'second secret', previous: 'first secret' });

    // Clients that always send everything change nothing by it.
    gateway.clock.advanceSeconds(60);
    await api.put(id, { secret: 'second secret', name: 'Renamed' });
    gateway.clock.advanceSeconds(86_339);
    const applications = gateway.get(ApplicationsService);
    expect(await applications.forgetExpiredSecrets()).toBe(0);
    expect(await secrets(id)).toEqual({ current: 'second secret', previous: 'first secret' });

    gateway.clock.advanceSeconds(1);
    expect(await secrets(id)).toEqual({ current: 'second secret', previous: null });
    const stored = () =>
      gateway.sql.query(
        `select sealed_previous_secret as previous, previous_secret_until as until
         from payment_applications where id = $1`,
        [id],
      );
    expect(await stored()).toEqual([{ previous: expect.any(String), until: expect.any(Date) }]);
    // A worker does this every few minutes: what signs nothing any more is not kept either.
    expect(await applications.forgetExpiredSecrets()).toBeGreaterThan(0);
    expect(await stored()).toEqual([{ previous: null, until: null }]);
    expect(await secrets(id)).toEqual({ current: 'second secret', previous: null });
  });
});
