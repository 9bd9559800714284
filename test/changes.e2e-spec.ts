import { jest } from '@jest/globals';
import type { ChangeContract } from '../src/overview/changes/change.contract.js';
import { KEPT_SECONDS } from '../src/overview/changes/change-place.pure.js';
import { TOKEN_CHECK_MS } from '../src/overview/changes/change-stream.js';
import { ChangeStreams, MOST_CHANGES } from '../src/overview/changes/change-streams.service.js';
import { NETWORKS_MS } from '../src/overview/changes/network-changes.service.js';
import { HEARTBEAT_MS, LIFETIME_MS } from '../src/platform/web/http/server-sent-events.js';
import { Cursors } from '../src/platform/web/cursors/cursors.service.js';
import { Sql } from '../src/platform/database/sql.js';
import { EventReader } from './support/event-reader.js';
import { createOwner, fetchAccessToken } from './support/principals.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

let shop: Shop;
let application: ShopApplication;
const open = new Set<EventReader>();

beforeAll(async () => {
  shop = await Shop.open({ EVENT_STREAMS: '6', EVENT_STREAMS_PER_USER: '4' });
  application = await shop.application();
});
beforeEach(async () => {
  const { clientId, clientSecret } = shop.owner;
  shop.owner.accessToken = await fetchAccessToken(shop.gateway, clientId, clientSecret);
  // A new stream receives what changed in the last minute.
  await shop.gateway.sql.query('delete from changes');
});
afterEach(async () => {
  for (const reader of open) await reader.leave();
  open.clear();
});
afterAll(() => shop.close());

const streams = () => shop.gateway.get(ChangeStreams);
const look = () => streams().runOnce();
async function follow(token = shop.owner.accessToken, headers: Record<string, string> = {}) {
  const reader = await EventReader.open(`${shop.gateway.baseUrl}/api/changes`, token, headers);
  open.add(reader);
  return reader;
}
/** What a stream received, without the events that only move its cursor. */
const received = ({ text }: EventReader) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as ChangeContract);
const lastId = ({ text }: EventReader) => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
const kinds = (reader: EventReader) => received(reader).map(({ type, id }) => `${type} ${id}`);
/** Comes after everything that was written before. */
async function arrived(...readers: EventReader[]): Promise<void> {
  shop.gateway.clock.advanceSeconds(HEARTBEAT_MS / 1000);
  const before = readers.map(({ text }) => text.split('\n:\n').length);
  await look();
  for (const [index, reader] of readers.entries())
    await reader.until(() => reader.text.split('\n:\n').length > (before[index] ?? 0));
}
/** The streams are live, and everything before has been sent. */
async function live(...readers: EventReader[]): Promise<void> {
  await look();
  await Promise.all(readers.map((reader) => reader.until(() => lastId(reader) !== '')));
}

describe('GET /api/changes', () => {
  it('tells each change of a payment with its ids, and nothing of its content', async () => {
    const reader = await follow();
    await live(reader);
    const payment = await shop.createPayment(application);
    await look();
    await reader.until(() => received(reader).length === 1);
    expect(received(reader)).toEqual([
      {
        type: 'payment',
        id: payment.id,
        applicationId: application.id,
        paymentId: null,
        version: expect.stringMatching(/^\d+$/),
      },
    ]);
    await shop.send(await shop.instructions(payment));
    await shop.mine(1);
    await look();
    await reader.until(() => received(reader).length > 1);
    expect(new Set(kinds(reader))).toEqual(new Set([`payment ${payment.id}`]));
    const [first, second] = received(reader).map(({ version }) => BigInt(version ?? 0));
    expect((second ?? 0n) > (first ?? 0n)).toBe(true);
  });

  it('names no delivery when a statement changes several of one account, and the one when it changes one', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    const deliveries = await shop.gateway.sql.query<{ id: string }>(
      'select id from webhook_deliveries where payment_id = $1',
      [payment.id],
    );
    expect(deliveries.length).toBeGreaterThan(1);
    await shop.gateway.sql.query('delete from changes');
    const reader = await follow();
    await live(reader);
    const attempt = (ids: string[]) =>
      shop.gateway.sql.query('update webhook_deliveries set attempts = attempts + 1 where id = any($1)', [
        ids,
      ]);
    const several = { type: 'delivery', id: null, applicationId: null, paymentId: null };
    await attempt(deliveries.map(({ id }) => id));
    await look();
    await arrived(reader);
    expect(received(reader)).toEqual([{ ...several, version: expect.any(String) }]);
    const [delivery] = deliveries;
    await attempt([delivery?.id ?? '']);
    await look();
    await arrived(reader);
    const one = { ...several, id: delivery?.id, applicationId: application.id, paymentId: payment.id };
    expect(received(reader).at(-1)).toEqual({ ...one, version: expect.any(String) });
  });

  it('names a delivery once its attempt has ended, and not when it is claimed', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    const { sql } = shop.gateway;
    const named = async () => (await sql.query(`select from changes where type = 'delivery'`)).length;
    await sql.query('delete from changes');
    await sql.query(
      `update webhook_deliveries set lease_token = gen_random_uuid(), lease_until = now() where payment_id = $1`,
      [payment.id],
    );
    expect(await named()).toBe(0);
    await sql.query(
      `update webhook_deliveries set attempts = attempts + 1, lease_token = null, lease_until = null
       where payment_id = $1`,
      [payment.id],
    );
    expect(await named()).toBe(1);
  });

  it('tells refunds and settings, each with its application and payment', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    await shop.gateway.sql.query('delete from changes');
    const reader = await follow();
    await live(reader);
    const { body } = await shop.call<{ id: string }>(
      'POST',
      `/api/payment/${payment.id}/refunds`,
      application.clientToken,
      { address: '0x52908400098527886E0F7030069857D2E4169EE7' },
    );
    await shop.call('PUT', `/api/payment-applications/${application.id}`, shop.owner.accessToken, {
      name: 'A new name',
      site: { title: 'A new title' },
    });
    await shop.call(
      'POST',
      `/api/payment-applications/${application.id}/webhook-endpoint/pause`,
      shop.owner.accessToken,
    );
    await shop.call(
      'POST',
      `/api/payment-applications/${application.id}/webhook-endpoint/resume`,
      shop.owner.accessToken,
    );
    await look();
    await arrived(reader);
    const about = { applicationId: application.id, version: expect.any(String) };
    expect(received(reader)).toContainEqual({
      ...about,
      type: 'refund',
      id: body.data.id,
      paymentId: payment.id,
    });
    expect(received(reader)).toContainEqual({
      ...about,
      type: 'application',
      id: application.id,
      paymentId: null,
    });
  });

  it('tells payments with each block while their transfers wait, and no more afterwards', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.mine(1);
    await shop.gateway.sql.query('delete from changes');
    const reader = await follow();
    await live(reader);
    shop.gateway.clock.advanceSeconds(NETWORKS_MS / 1000);
    await look();
    await shop.mine(1);
    await shop.gateway.sql.query('delete from changes');
    shop.gateway.clock.advanceSeconds(NETWORKS_MS / 1000);
    await look();
    await reader.until(() => received(reader).some(({ version }) => version === null));
    expect(received(reader)).toContainEqual({
      type: 'payment',
      id: payment.id,
      applicationId: application.id,
      paymentId: null,
      version: null,
    });
    await shop.mine(CONFIRMATIONS);
    shop.gateway.clock.advanceSeconds(NETWORKS_MS / 1000);
    await look();
    await arrived(reader);
    const count = received(reader).length;
    await shop.mine(1);
    shop.gateway.clock.advanceSeconds(NETWORKS_MS / 1000);
    await look();
    await arrived(reader);
    expect(received(reader)).toHaveLength(count);
  });

  it('tells everybody when a network is not seen any more', async () => {
    const stranger = await createOwner(shop.gateway);
    const readers = [await follow(), await follow(stranger.accessToken)];
    await live(...readers);
    shop.gateway.clock.advanceSeconds(NETWORKS_MS / 1000);
    await look();
    await shop.gateway.sql.query(`update chain_cursors set halted_at = now(), halt_reason = 'a test'`);
    shop.gateway.clock.advanceSeconds(NETWORKS_MS / 1000);
    await look();
    await shop.gateway.sql.query(`update chain_cursors set halted_at = null, halt_reason = null`);
    for (const reader of readers) {
      await reader.until(() => received(reader).length > 0);
      expect(received(reader).map(({ type }) => type)).toEqual(['blockchain']);
    }
  });

  it('tells a user nothing of others', async () => {
    const stranger = await createOwner(shop.gateway);
    const [mine, theirs] = [await follow(), await follow(stranger.accessToken)];
    await live(mine, theirs);
    await shop.createPayment(application);
    await look();
    await arrived(mine, theirs);
    expect([received(mine).length, received(theirs).length]).toEqual([1, 0]);
  });

  it('tells a new page what changed in the minute before, and a reconnected one what it missed', async () => {
    const before = await shop.createPayment(application);
    const first = await follow();
    await live(first);
    expect(kinds(first)).toEqual([`payment ${before.id}`]);
    await first.leave();
    open.delete(first);
    const missed = await shop.createPayment(application);
    const resumed = await follow(shop.owner.accessToken, { 'last-event-id': lastId(first) });
    await live(resumed);
    expect(kinds(resumed)).toContain(`payment ${missed.id}`);
    expect(kinds(resumed)).not.toContain('everything null');
  });

  it('sends a change whose transaction began before others that were already sent, each once', async () => {
    const reader = await follow();
    await live(reader);
    let begun: () => void = () => undefined;
    let finish: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const mayFinish = new Promise<void>((resolve) => (finish = resolve));
    const transaction = shop.gateway.sql.transaction(async (tx) => {
      await tx.query(`update payment_applications set name = name || '!' where id = $1`, [application.id]);
      begun();
      await mayFinish;
    });
    await hasBegun;
    const later = await shop.application();
    await look();
    await reader.until(() => received(reader).length > 0);
    expect(kinds(reader)).toEqual([`application ${later.id}`]);
    finish();
    await transaction;
    await look();
    await arrived(reader);
    expect(kinds(reader)).toEqual([`application ${later.id}`, `application ${application.id}`]);
  });

  it('says that everything may have changed to a page with a cursor that is too old', async () => {
    const first = await follow();
    await live(first);
    const cursors = shop.gateway.get(Cursors);
    const place = cursors.open(lastId(first), shop.owner.userId);
    const [, transaction] = /^c(\d+)\./.exec(place ?? '') ?? [];
    const second = Math.floor(Date.parse('2026-01-01T00:00:00Z') / 1000);
    const old = cursors.seal(`c${transaction}.${second}`, shop.owner.userId);
    const resumed = await follow(shop.owner.accessToken, { 'last-event-id': old });
    await live(resumed);
    expect(received(resumed).map(({ type }) => type)).toEqual(['everything']);
  });

  it('says that everything may have changed once more changed than it tells one by one', async () => {
    const reader = await follow();
    await live(reader);
    await shop.gateway.sql.query(
      `insert into changes (user_id, type, object_id)
       select $1, 'payment', gen_random_uuid() from generate_series(0, $2::integer)`,
      [shop.owner.userId, MOST_CHANGES],
    );
    await look();
    await reader.until(() => received(reader).length > 0);
    expect(received(reader).map(({ type }) => type)).toEqual(['everything']);
  });

  it('deletes changes once they are too old to be continued from', async () => {
    await shop.createPayment(application);
    const count = async () =>
      (await shop.gateway.sql.query<{ n: number }>('select count(*)::int as n from changes'))[0]?.n;
    await streams().purge();
    expect(await count()).toBeGreaterThan(0);
    await shop.gateway.sql.query(`update changes set at = now() - $1 * interval '1 second'`, [
      KEPT_SECONDS + 1,
    ]);
    await streams().purge();
    expect(await count()).toBe(0);
  });

  it.each(['nonsense', 'ZTE'])('refuses the cursor %s, which it never gave', async (cursor) => {
    const reader = await follow(shop.owner.accessToken, { 'last-event-id': cursor });
    await reader.over();
    expect(reader.response.statusCode).toBe(422);
    expect(JSON.parse(reader.text)).toMatchObject({ errors: { 'Last-Event-ID': [expect.any(String)] } });
  });

  it('ends within seconds after its token was revoked, and after five minutes in any case', async () => {
    const [revoked, kept] = [await follow(), await follow((await createOwner(shop.gateway)).accessToken)];
    await live(revoked, kept);
    await shop.gateway.sql.query(`update oauth_clients set revoked_at = now() where client_id = $1`, [
      shop.owner.clientId,
    ]);
    shop.gateway.clock.advanceSeconds(TOKEN_CHECK_MS / 1000);
    await look();
    await revoked.over();
    expect(kept.isOver).toBe(false);
    await shop.gateway.sql.query(`update oauth_clients set revoked_at = null where client_id = $1`, [
      shop.owner.clientId,
    ]);
    shop.gateway.clock.advanceSeconds(LIFETIME_MS / 1000);
    await look();
    await kept.over();
  });

  it('refuses more streams of a user, and more in all, than are configured', async () => {
    for (let i = 0; i < 4; i++) await follow();
    const fifth = await follow();
    expect([fifth.response.statusCode, fifth.response.headers['retry-after']]).toEqual([429, '5']);
    const others = await createOwner(shop.gateway);
    for (let i = 0; i < 2; i++) await follow(others.accessToken);
    expect((await follow(others.accessToken)).response.statusCode).toBe(503);
  });

  it('costs one statement a turn, and none of those that create a payment', async () => {
    const reader = await follow();
    await live(reader);
    const query = jest.spyOn(shop.gateway.get(Sql), 'query');
    try {
      await look();
      expect(query.mock.calls.length).toBe(1);
      query.mockClear();
      await shop.createPayment(application);
      expect(query.mock.calls.filter(([text]) => text.includes('changes'))).toEqual([]);
    } finally {
      query.mockRestore();
    }
  });
});
