import { jest } from '@jest/globals';
import { readXlsx } from 'hucre/xlsx';
import { EXPORT_PAGE } from '../src/platform/web/http/exports.service.js';
import { Sql } from '../src/platform/database/sql.js';
import { TransferExportRepository } from '../src/payments/export/transfer-export.repository.js';
import { plantCopies } from './support/planted-transfers.js';
import { sealPlanted } from './support/seal-planted.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

let shop: Shop;
let application: ShopApplication;
let paid: CreatedPayment;
let later: CreatedPayment;
let month: string;

const REFERENCE = '12345678901234567890';
const ask = async (path: string) => {
  const response = await fetch(`${shop.gateway.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${shop.owner.accessToken}` },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};
const lines = async (path: string) => (await ask(path)).bytes.toString('utf8').split('\r\n');
const table = async (path: string) => {
  const { status, bytes } = await ask(path);
  expect(status).toBe(200);
  const { sheets } = await readXlsx(bytes);
  return (sheets[0]?.rows ?? []) as unknown[][];
};
const fieldsOf = async (path: string) => {
  const { status, bytes } = await ask(path);
  const { errors } = JSON.parse(bytes.toString('utf8')) as { errors: object };
  return [status, ...Object.keys(errors)];
};

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application();
  // Created first, paid last.
  later = await shop.createPayment(application, { reference: '=1+1', amount: 2_908, currencyCode: 'EUR' });
  paid = await shop.createPayment(application, { reference: REFERENCE });
  await shop.send(await shop.instructions(paid, 'usdc'));
  await shop.mine(CONFIRMATIONS);
  shop.gateway.clock.advanceSeconds(60);
  await shop.send(await shop.instructions(later, 'usdc'));
  await shop.mine(CONFIRMATIONS);
  month = (await shop.payment(paid)).date.slice(0, 7);
});
afterAll(() => shop.close());

describe('an export by the date of payment', () => {
  const references = async (query: string) => {
    const { bytes } = await ask(`/api/payment/export?format=jsonl&${query}`);
    return bytes
      .toString('utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { reference: string }).reference);
  };

  it('has the order and the span of the first confirmed funds, without what was never paid', async () => {
    await shop.createPayment(application, { reference: 'open' });
    expect(await references('by=created')).toEqual(['open', REFERENCE, '=1+1']);
    expect(await references('by=paid')).toEqual(['=1+1', REFERENCE]);
    const seen = (await shop.payment(later)).transactions[0]?.seenAt ?? '';
    expect(await references(`by=paid&dateFrom=${seen}`)).toEqual(['=1+1']);
    expect(await references(`by=paid&status=OPEN`)).toEqual([]);
    const before = new Date(Date.parse(seen) - 1_000).toISOString();
    expect(await references(`by=paid&dateTo=${before}`)).toEqual([REFERENCE]);
  });

  it('comes from the index of transfers, wherever it begins', async () => {
    const query = jest.spyOn(shop.gateway.get(Sql), 'query');
    await references('by=paid');
    const [text, values] = query.mock.calls.find(([sql]) => sql.includes('limit $')) ?? ['', []];
    query.mockRestore();
    const plan = await shop.gateway.sql.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off');
      await tx.query('set local enable_sort = off');
      return tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    });
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(
      /Index Scan (Backward )?using payment_transfers_owner /,
    );
  });
});

describe('a file for people', () => {
  it('is CSV for German spreadsheets: oldest first, with names, rate, address and totals', async () => {
    const { headers, bytes } = await ask('/api/transfers/export?locale=de&timeZone=Asia/Kathmandu');
    expect(headers.get('content-type')).toContain('text/csv');
    const [head, first, second, empty, euros, dollars, coins] = bytes.toString('utf8').split('\r\n');
    expect(head).toMatch(/^\u{feff}Gezahlt am \(Asia\/Kathmandu\);Shop;Referenz;/u);
    expect(first).toMatch(new RegExp(`^\\d\\d\\.\\d\\d\\.\\d{4} \\d\\d:\\d\\d:\\d\\d;[^;]+;'${REFERENCE};`));
    const { transactions } = await shop.payment(paid);
    expect(first).toContain(';Bestätigt;USD;100,00;');
    expect(first).toContain(`;USDC;100,000000;`);
    expect(first).toContain(`;${transactions[0]?.txHash};`);
    expect(first).toMatch(/;0x[0-9a-fA-F]{40};m\/44'\/60'\/0'\/0\/\d+;/);
    expect(second).toContain(`;'=1+1;`);
    expect(empty).toBe('');
    expect(euros).toMatch(/^Summe;.*;Bestätigt;EUR;29,08;/);
    expect(dollars).toMatch(/^Summe;.*;Bestätigt;USD;100,00;/);
    expect(coins).toMatch(/^Summe;.*;Bestätigt;.*USDC;1\d\d,\d{6};/);
  });

  it('is a workbook whose references are texts, amounts numbers and dates dates', async () => {
    const [head, first, second] = await table('/api/payment/export?format=xlsx&by=paid&locale=ja');
    expect(head?.slice(2, 5)).toEqual(['ショップ', '注文番号', '表示名']);
    expect(first?.[0]).toBeInstanceOf(Date);
    expect([first?.[3], first?.[7], first?.[8]]).toEqual([REFERENCE, 100, 100]);
    expect([second?.[3], second?.[6], second?.[7]]).toEqual(['=1+1', 'EUR', 29.08]);
  });

  it.each(['/api/refunds/export', '/api/webhook-deliveries/export'])('exists of %s', async (path) => {
    expect((await table(`${path}?format=xlsx`)).length).toBeGreaterThan(0);
    expect((await lines(`${path}?locale=ar`))[0]).toMatch(/^\u{feff}تاريخ الإنشاء \(UTC\);/u);
  });

  it('changes no byte of the files for programs', async () => {
    const [head, newest] = await lines('/api/transfers/export');
    expect(head).toMatch(/^id,seenAt,confirmedAt,status,.*,matched,late$/);
    expect(newest).toContain(",'=1+1,");
  });

  it('breaks the connection when a page cannot be read, and a workbook that was cut is none', async () => {
    await shop.gateway.sql.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await plantCopies(tx, paid, EXPORT_PAGE, {
        state: `'orphaned'`,
        block_height: 'null',
        block_hash: 'null',
        block_time: 'null',
      });
    });
    await sealPlanted(shop.gateway);
    const repository = shop.gateway.get(TransferExportRepository);
    const listAfter = repository.listAfter.bind(repository);
    let count = 0;
    const failing = jest.spyOn(repository, 'listAfter').mockImplementation((...args) => {
      if (++count % 2 === 0) throw new Error('the database is gone');
      return listAfter(...args);
    });
    await expect(ask('/api/transfers/export?format=xlsx')).rejects.toThrow();
    await expect(ask('/api/transfers/export?locale=de')).rejects.toThrow();
    failing.mockRestore();
    const { bytes } = await ask('/api/transfers/export?format=xlsx');
    expect((await readXlsx(bytes)).sheets[0]?.rows.length).toBeGreaterThan(EXPORT_PAGE);
    await expect(readXlsx(bytes.subarray(0, bytes.length - 200))).rejects.toThrow();
  });
});

describe('what strangers send in thousands', () => {
  const SMALL = 1_200;
  const small = async (path: string) =>
    (await table(`${path}locale=en`)).filter((row) => row.at(-1) === `Small transfers added up: ${SMALL}`);

  let seen: Date;

  beforeAll(async () => {
    [{ seen } = { seen: new Date(0) }] = await shop.gateway.sql.query<{ seen: Date }>(
      'select min(seen_at) as seen from payment_transfers where payment_id = $1',
      [later.id],
    );
    await shop.gateway.sql.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await plantCopies(tx, later, SMALL, {
        amount: '1',
        credited_amount: '0',
        is_dust: 'true',
        seen_at: `t.seen_at - n * interval '1 millisecond'`,
      });
    });
    await sealPlanted(shop.gateway);
  });

  it.each(['/api/transfers/export?format=xlsx&', '/api/reports/month?month=%m&'])(
    'is one row of %s, with the sum and how many',
    async (path) => {
      const rows = await small(path.replace('%m', month));
      expect(rows.map((row) => row.slice(7, 10))).toEqual([['Ethereum', 'USDC', 0.0012]]);
    },
  );

  it('adds nothing to the row of its payment but the sum and how many', async () => {
    const [row, ...others] = await small('/api/payment/export?format=xlsx&by=paid&');
    expect(others).toEqual([]);
    const { transactions } = await shop.payment(later);
    expect(row?.slice(12, 14)).toEqual(['Ethereum', 'USDC']);
    expect(row?.[18]).toBe(transactions[0]?.txHash);
  });

  it('stays one row each in the file for programs', async () => {
    const all = await lines('/api/transfers/export');
    expect(all.filter((line) => line.includes('0.000001'))).toHaveLength(SMALL);
  });

  it('is left out of the sum where a file begins later', async () => {
    const half = new Date(seen.getTime() - SMALL / 2).toISOString();
    const rows = await table(`/api/transfers/export?format=xlsx&locale=en&from=${half}`);
    expect(rows.map((row) => row.at(-1))).toContain(`Small transfers added up: ${SMALL / 2}`);
  });
});

describe('GET /api/reports/month', () => {
  const sums = async (query: string) => {
    const rows = await table(`/api/reports/month?month=${month}&${query}`);
    const gap = rows.findIndex(
      (row, index) => index > 0 && row.every((cell) => cell === null || cell === undefined),
    );
    return rows.slice(gap + 1).map((row) => [row[1], row[5], row[6]]);
  };

  it('has the sums of the report of received funds, and what is open', async () => {
    const next = new Date(`${month}-01T00:00:00Z`);
    next.setUTCMonth(next.getUTCMonth() + 1);
    const { bytes } = await ask(
      `/api/reports/received?from=${month}-01T00:00:00Z&to=${next.toISOString()}&interval=total`,
    );
    const { data } = JSON.parse(bytes.toString('utf8')) as {
      data: { currencyCode: string; credited: { atomic: number | string; decimals: number } }[];
    };
    const report = data.map(({ currencyCode, credited }) => [
      'Received',
      currencyCode,
      Number(credited.atomic) / 10 ** credited.decimals,
    ]);
    expect(report).toHaveLength(2);
    expect((await sums('locale=en')).filter(([kind, currency]) => kind === 'Received' && currency)).toEqual(
      report,
    );
  });

  it('has refunds that are promised, and follows the filter of an application', async () => {
    const created = await shop.call('POST', `/api/payment/${paid.id}/refunds`, shop.owner.accessToken, {
      amount: 4_000,
    });
    expect(created.status).toBe(201);
    expect(await sums('locale=en')).toContainEqual(['Open: refund to send', 'USD', 40]);
    const other = await shop.application();
    expect(await table(`/api/reports/month?month=${month}&paymentApplicationId=${other.id}`)).toHaveLength(1);
  });

  it('is CSV as well, in the language', async () => {
    const [head, first] = await lines(`/api/reports/month?month=${month}&format=csv&locale=fr`);
    expect(head).toMatch(/^\u{feff}Date \(UTC\);Nature;Boutique;/u);
    expect(first).toContain(';Reçu;');
  });

  it.each([
    ['', 'month'],
    ['month=2026-13', 'month'],
    ['month=2026-1', 'month'],
    ['month=2999-01', 'month'],
    ['month=1969-12', 'month'],
    ['month=2026-01&format=zip', 'format'],
    ['month=2026-01&locale=de_DE', 'locale'],
    ['month=2026-01&timeZone=%2B02:00', 'timeZone'],
    ['month=2026-01&currency=USD', 'currency'],
  ])('refuses %j by the name of the parameter', async (query, field) => {
    expect(await fieldsOf(`/api/reports/month?${query}`)).toEqual([422, field]);
  });
});
