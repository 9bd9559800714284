import { jest } from '@jest/globals';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { EXPORT_PAGE } from '../src/platform/web/http/exports.service.js';
import { Sql } from '../src/platform/database/sql.js';
import { PaymentListRepository } from '../src/payments/payment-list.repository.js';
import { Gateway } from '../sdk/src/index.js';
import { createOwner, createOwnerWithClient, type Owner } from './support/principals.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

let shop: Shop;
let application: ShopApplication;
let paid: CreatedPayment;

const PAYMENTS = '/api/payment/export';
const read = async (path: string, token = shop.owner.accessToken) => {
  const response = await fetch(`${shop.gateway.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
/** The objects of an export in JSON Lines. */
const rows = async (path: string, token?: string) => {
  const { status, text } = await read(`${path}${path.includes('?') ? '&' : '?'}format=jsonl`, token);
  expect(status).toBe(200);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application();
  paid = await shop.createPayment(application, { reference: '=HYPERLINK("https://evil.example")' });
  await shop.send(await shop.instructions(paid, 'usdc'));
  await shop.mine(CONFIRMATIONS);
});
afterAll(() => shop.close());

describe('GET /api/payment/export', () => {
  it('is a CSV file with a header line, exact amounts and disarmed formulas', async () => {
    const { status, headers, text } = await read(PAYMENTS);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="payments-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [head, first, end] = text.split('\r\n');
    expect(end).toBe('');
    expect(head).toBe(
      'id,createdAt,paymentApplicationId,status,reference,referenceLabel,currencyCode,amount,amountAtomic,' +
        'receivedAmount,receivedAmountAtomic,overpaidAmount,overpaidAmountAtomic,underpaidAmount,' +
        'underpaidAmountAtomic,refundedAmount,refundedAmountAtomic,foundAt,receivedAt,confirmedAt,cancelledAt,' +
        'expiresAt,reviewReason',
    );
    const { foundAt, confirmedAt, date, expiresAt } = await shop.payment(paid);
    expect(first).toBe(
      `${paid.id},${date},${application.id},CONFIRMED,"'=HYPERLINK(""https://evil.example"")",Order #1,USD,100.00,` +
        `10000,100.00,10000,,,,,0.00,0,${foundAt},${confirmedAt},${confirmedAt},,${expiresAt},`,
    );
  });

  it('has in JSON Lines the same fields, and the text as it was sent', async () => {
    const [row] = await rows(PAYMENTS);
    expect(row).toMatchObject({
      id: paid.id,
      reference: '=HYPERLINK("https://evil.example")',
      amount: '100.00',
      amountAtomic: '10000',
      overpaidAmount: null,
    });
  });

  it('takes the filters of the list, and shows nothing of another merchant', async () => {
    const other = await shop.application();
    const open = await shop.createPayment(other, { reference: 'ORDER-2', currencyCode: 'JPY', amount: 150 });
    const ids = async (query: string, token?: string) =>
      (await rows(`${PAYMENTS}${query}`, token)).map(({ id }) => id);
    expect(await ids('')).toEqual([open.id, paid.id]);
    expect(await ids('?status=OPEN')).toEqual([open.id]);
    expect(await ids(`?paymentApplicationId=${application.id}`)).toEqual([paid.id]);
    expect(await ids('?reference=ORDER-2')).toEqual([open.id]);
    expect(await ids('?currencyCode=JPY')).toEqual([open.id]);
    expect(await ids('?search=%3Dhyper')).toEqual([paid.id]);
    const { date } = await shop.payment(open);
    expect(await ids(`?dateFrom=${date}`)).toEqual(
      (await shop.payment(paid)).date === date ? [open.id, paid.id] : [open.id],
    );
    expect(await ids('?dateTo=2000-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('', (await createOwner(shop.gateway)).accessToken)).toEqual([]);
    expect((await rows(`${PAYMENTS}?currencyCode=JPY`))[0]).toMatchObject({
      amount: '150',
      amountAtomic: '150',
    });
  });

  it.each<[string, number]>([
    ['blockchain=ethereum', 1],
    ['blockchain=bsc', 0],
    ['coin=USDC', 1],
    ['coin=ETH', 0],
    ['currencyCode=USD&amountFrom=10000', 1],
    ['currencyCode=USD&amountFrom=10001', 0],
    ['currencyCode=JPY&amountTo=150', 1],
    ['currencyCode=JPY&amountTo=149', 0],
    ['coin=USDC&currencyCode=USD&amountTo=10000&status=CONFIRMED', 1],
    ['reviewReason=overpaid', 0],
    ['late=false', 2],
    ['late=true', 0],
    ['expiredWithFunds=true', 0],
    ['unmatchedFunds=false', 2],
    ['unmatchedFunds=true', 0],
  ])('has by %s the payments of the overview', async (query, count) => {
    const { data } = JSON.parse((await read(`/api/payment-overview?${query}`)).text) as {
      data: { id: string }[];
    };
    const overview = data.map(({ id }) => id);
    const exported = (await rows(`${PAYMENTS}?${query}`)).map(({ id }) => id);
    expect(exported).toHaveLength(count);
    expect(exported).toEqual(overview);
  });

  it('is read line by line by the client package', async () => {
    const { payments } = new Gateway({ baseUrl: shop.gateway.baseUrl, token: shop.owner.accessToken });
    const found: string[] = [];
    for await (const { id, amountAtomic } of payments.export({ status: ['CONFIRMED'] }))
      found.push(`${id} ${amountAtomic}`);
    expect(found).toEqual([`${paid.id} 10000`]);
    const refused = payments.export({ reference: '' });
    await expect(refused[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 422 });
  });

  it.each([
    ['?format=xls', 'format'],
    ['?format=xlsx&locale=tlh', 'locale'],
    ['?format=csv&locale=zh-TW', 'locale'],
    ['?format=jsonl&locale=de', 'locale'],
    ['?timeZone=Europe/Berlin', 'timeZone'],
    ['?format=xlsx&timeZone=Europe/Atlantis', 'timeZone'],
    ['?by=month', 'by'],
    ['?dateFrom=2026-02-01T00:00:00Z&dateTo=2026-01-01T00:00:00Z', 'dateFrom'],
    ['?status=PAID', 'status'],
    ['?page=2', 'page'],
    ['?dateFrom=yesterday', 'dateFrom'],
    ['?blockchain=etherum', 'blockchain'],
    ['?coin=USD', 'coin'],
    ['?amountFrom=1', 'currencyCode'],
  ])('refuses %s by the name of the parameter', async (query, field) => {
    const { status, text } = await read(`${PAYMENTS}${query}`);
    expect([status, Object.keys((JSON.parse(text) as { errors: object }).errors)]).toEqual([422, [field]]);
  });
});

describe('the other exports', () => {
  it('of transfers has coin and credited amount', async () => {
    const { transactions } = await shop.payment(paid);
    const [transfer] = transactions;
    expect(await rows('/api/transfers/export')).toEqual([
      {
        id: transfer?.id,
        seenAt: transfer?.seenAt,
        confirmedAt: transfer?.confirmedAt,
        status: 'CONFIRMED',
        paymentId: paid.id,
        paymentApplicationId: application.id,
        reference: '=HYPERLINK("https://evil.example")',
        blockchain: 'ethereum',
        txHash: transfer?.txHash,
        currencyCode: 'USDC',
        amount: '100.000000',
        amountAtomic: '100000000',
        creditedCurrencyCode: 'USD',
        creditedAmount: '100.00',
        creditedAmountAtomic: '10000',
        matched: true,
        late: false,
      },
    ]);
    expect(await rows('/api/transfers/export?currencyCode=USDT')).toEqual([]);
    expect(await rows('/api/transfers/export?blockchain=polygon')).toEqual([]);
    expect(await rows('/api/transfers/export?to=2000-01-01T00:00:00Z')).toEqual([]);
    expect(await rows(`/api/transfers/export?from=${transfer?.seenAt}`)).toHaveLength(1);
  });

  it('of refunds has the payout', async () => {
    const created = await shop.call<{ id: string }>(
      'POST',
      `/api/payment/${paid.id}/refunds`,
      shop.owner.accessToken,
      { amount: 4_000, note: 'never exported' },
    );
    expect(created.status).toBe(201);
    expect(await rows('/api/refunds/export')).toMatchObject([
      {
        id: created.body.data.id,
        type: 'PARTIAL',
        status: 'AWAITING_ADDRESS',
        paymentId: paid.id,
        currencyCode: 'USD',
        amount: '40.00',
        amountAtomic: '4000',
        blockchain: 'ethereum',
        payoutCurrencyCode: 'USDC',
        payoutAmount: '40.000000',
        payoutAmountAtomic: '40000000',
        address: null,
        transferId: null,
      },
    ]);
    expect((await read('/api/refunds/export')).text).not.toContain('never exported');
    expect(await rows('/api/refunds/export?status=COMPLETED')).toEqual([]);
    expect(await rows(`/api/refunds/export?paymentApplicationId=${application.id}`)).toHaveLength(1);
  });

  it('of deliveries has the newest attempt, without bodies', async () => {
    const sent = await rows('/api/webhook-deliveries/export');
    expect(
      sent.map(({ event, status, attempt, httpStatus }) => [event, status, attempt, httpStatus]),
    ).toEqual(
      expect.arrayContaining([
        ['payment.received', 'SUCCEEDED', '1', '200'],
        ['payment.completed', 'SUCCEEDED', '1', '200'],
      ]),
    );
    expect(Object.keys(sent[0] ?? {})).not.toContain('requestBody');
    expect(await rows('/api/webhook-deliveries/export?event=payment.received')).toHaveLength(1);
    expect(await rows('/api/webhook-deliveries/export?status=FAILED')).toEqual([]);
    expect(await rows(`/api/webhook-deliveries/export?paymentId=${paid.id}`)).toHaveLength(2);
  });
});

describe('an export of 20,000 payments', () => {
  const COUNT = 20_000;
  let owner: Owner;
  let applicationId: string;

  beforeAll(async () => {
    owner = await createOwner(shop.gateway);
    const created = await shop.call<{ id: string }>('POST', '/api/payment-applications', owner.accessToken, {
      name: 'Large shop',
      secret: 'a secret of the large shop',
    });
    applicationId = created.body.data.id;
    await shop.gateway.sql.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(
        `insert into payments (id, user_id, application_id, reference, reference_label, currency_code,
           settlement_currency_code, amount, expires_at, created_at)
         select gen_random_uuid(), $1, $2, 'ORDER-' || n, repeat('x', 255), 'USD', 'USD', n, now(),
           $3::timestamptz - (n / 3) * interval '1 second'
         from generate_series(1, $4::integer) n`,
        [owner.userId, applicationId, shop.gateway.clock.now(), COUNT],
      );
    });
    await shop.gateway.sql.query('analyze payments');
  });

  const open = async (): Promise<[ClientRequest, IncomingMessage]> => {
    const request = get(`${shop.gateway.baseUrl}${PAYMENTS}?format=jsonl`, {
      agent: false,
      headers: { authorization: `Bearer ${owner.accessToken}` },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    return [request, response];
  };
  /** Until the server has nothing to do: as many turns of the loop as a page takes by far. */
  const settled = async (isStill: () => number) => {
    for (let last = -1, same = 0; same < 200;) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = isStill();
      same = now === last && connections().busy === 0 ? same + 1 : 0;
      last = now;
    }
  };
  const connections = () => shop.gateway.get(Sql).connections();

  it('has every payment once, newest first, also those of the same second', async () => {
    const all = await rows(PAYMENTS, owner.accessToken);
    expect(all).toHaveLength(COUNT);
    expect(new Set(all.map(({ id }) => id)).size).toBe(COUNT);
    const times = all.map(({ createdAt }) => String(createdAt));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('reads no further and holds no connection of the database while its client does not read', async () => {
    const reads = jest.spyOn(shop.gateway.get(PaymentListRepository), 'listAfter');
    const [, response] = await open();
    await settled(() => reads.mock.calls.length);
    // What the operating system buffers for a connection is not counted in pages.
    const stopped = reads.mock.calls.length;
    expect(stopped).toBeLessThan(COUNT / EXPORT_PAGE);
    expect(connections().busy).toBe(0);
    expect((await read('/api/payment')).status).toBe(200);
    expect(reads.mock.calls.length).toBe(stopped);
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await once(response, 'end');
    expect(text.split('\n')).toHaveLength(COUNT + 1);
    // Two pages: one that is being written, and the one that was read after it.
    for (const [, , limit] of reads.mock.calls) expect(limit).toBe(EXPORT_PAGE);
    reads.mockRestore();
  });

  it('ends by a broken connection when a page cannot be read, never as a short file', async () => {
    const repository = shop.gateway.get(PaymentListRepository);
    const listAfter = repository.listAfter.bind(repository);
    let count = 0;
    const failing = jest.spyOn(repository, 'listAfter').mockImplementation((...args) => {
      if (++count === 3) throw new Error('the database is gone');
      return listAfter(...args);
    });
    await expect(read(PAYMENTS, owner.accessToken)).rejects.toThrow();
    expect(count).toBe(3);
    count = 0;
    const client = new Gateway({ baseUrl: shop.gateway.baseUrl, token: owner.accessToken });
    const all = async () => {
      for await (const payment of client.payments.export()) expect(payment.currencyCode).toBe('USD');
    };
    await expect(all()).rejects.toMatchObject({ code: 'network_error' });
    failing.mockRestore();
  });

  it('is an ordinary error response when the first page cannot be read', async () => {
    const failing = jest
      .spyOn(shop.gateway.get(PaymentListRepository), 'listAfter')
      .mockRejectedValue(new Error('the database is gone'));
    const { status, headers } = await read(PAYMENTS, owner.accessToken);
    expect([status, headers.get('content-type')]).toEqual([500, 'application/json; charset=utf-8']);
    failing.mockRestore();
  });

  it('runs at most twice at a time for one user, until a client has left', async () => {
    const [first, second] = [await open(), await open()];
    const third = await read(PAYMENTS, owner.accessToken);
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await read(PAYMENTS)).status).toBe(200);
    for (const [request] of [first, second]) request.destroy();
    let { status } = await read(`${PAYMENTS}?reference=none`, owner.accessToken);
    // Leaving is noticed when the end of the connection arrives.
    while (status === 429) ({ status } = await read(`${PAYMENTS}?reference=none`, owner.accessToken));
    expect(status).toBe(200);
  });

  it('ends when its token is revoked', async () => {
    const large = await createOwnerWithClient(shop.gateway);
    await shop.gateway.sql.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query('update payments set user_id = $1 where user_id = $2', [large.userId, owner.userId]);
    });
    const repository = shop.gateway.get(PaymentListRepository);
    const listAfter = repository.listAfter.bind(repository);
    const revoking = jest.spyOn(repository, 'listAfter').mockImplementation(async (...args) => {
      const page = await listAfter(...args);
      await shop.gateway.sql.query(`delete from oidc_payloads where payload->>'clientId' = $1`, [
        large.clientId,
      ]);
      return page;
    });
    await expect(read(PAYMENTS, large.accessToken)).rejects.toThrow();
    expect(revoking.mock.calls).toHaveLength(1);
    revoking.mockRestore();
  });
});

describe('a page of an export', () => {
  it.each([
    [PAYMENTS, 'payments_owner'],
    ['/api/transfers/export', 'payment_transfers_owner'],
    ['/api/refunds/export', 'refunds_owner'],
    ['/api/webhook-deliveries/export', 'webhook_deliveries_owner'],
  ])('of %s comes from the index %s, wherever it begins', async (path, index) => {
    const query = jest.spyOn(shop.gateway.get(Sql), 'query');
    await read(path);
    const [text, values] = query.mock.calls.find(([sql]) => sql.includes('limit $')) ?? ['', []];
    query.mockRestore();
    const plan = await shop.gateway.sql.transaction(async (tx) => {
      // A table of a few rows is otherwise scanned.
      await tx.query('set local enable_seqscan = off');
      await tx.query('set local enable_sort = off');
      return tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    });
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(
      new RegExp(`Index Scan (Backward )?using ${index} .*\\n *Index Cond: .*ROW\\(`),
    );
  });
});
