import { envelope } from './envelope.js';
import { Page, PageQuery } from './pagination.js';
import { validateQuery } from '../contract/read-contract.js';
import { StreamableFile } from '@nestjs/common';

describe('PageQuery', () => {
  it.each([
    [{}, 1, 20, 0],
    [{ page: '3' }, 3, 20, 40],
    [{ per_page: '100' }, 1, 100, 0],
    [{ perPage: '7', page: '2' }, 2, 7, 7],
    [{ per_page: '5', perPage: '7' }, 1, 5, 0],
    [{ page: '1000000', per_page: '100' }, 1_000_000, 100, 99_999_900],
  ])('%p', async (sent, page, limit, offset) => {
    expect(await validateQuery(PageQuery, sent)).toMatchObject({ page, limit, offset });
  });

  it.each([{ page: '0' }, { page: '1000001' }, { per_page: '0' }, { per_page: '101' }, { perPage: '1e2' }])(
    '%p is refused',
    async (sent) => {
      await expect(validateQuery(PageQuery, sent)).rejects.toMatchObject({ status: 422 });
    },
  );

  it('does not treat its getters as fields', async () => {
    await expect(validateQuery(PageQuery, { limit: '5', offset: '5' })).rejects.toMatchObject({
      extra: {
        errors: {
          limit: [expect.stringContaining('Did you mean per_page?')],
          offset: [expect.stringContaining('Did you mean page?')],
        },
      },
    });
  });
});

describe('Page', () => {
  it.each([
    [0, 1, 0, 1],
    [20, 1, 20, 1],
    [21, 2, 1, 2],
    [21, 9, 0, 2],
  ])('of %p items, page %p', async (total, current_page, count, total_pages) => {
    const query = await validateQuery(PageQuery, { page: String(current_page) });
    expect(
      Page.of(
        Array.from({ length: count }, () => 'x'),
        total,
        query,
      ).pagination,
    ).toEqual({
      total,
      count,
      per_page: 20,
      current_page,
      total_pages,
    });
  });
});

describe('envelope', () => {
  const file = new StreamableFile(Buffer.from('x'));
  const pagination = { total: 1, count: 1, per_page: 20, current_page: 1, total_pages: 1 };

  it.each([
    [{ id: 1 }, { data: { id: 1 } }],
    [[], { data: [] }],
    [null, { data: null }],
    [false, { data: false }],
    [new Page([7], pagination), { data: [7], meta: { pagination } }],
    [undefined, undefined],
    ['<html>', '<html>'],
    [file, file],
  ])('%p', (result, body) => expect(envelope(result)).toEqual(body));
});
