import { pageLink, pageOfChoice, readChoice, readQuery, readReportForm } from './page-query.js';

const LINK = { expires: '1773576000', signature: 'ab'.repeat(32), lang: null, seen: null };
const NONE = { provider: null, method: null };
const ETH = { provider: 'ethereum', method: 'eth' };

describe('readQuery', () => {
  it.each([
    [{}, NONE, null],
    [{ provider: 'ethereum', method: 'eth', utm_source: 'x' }, ETH, null],
    [{ provider: ['ethereum', 'x'], method: { a: 'eth' } }, NONE, null],
    [{ provider: '', method: '' }, NONE, null],
    [{ choose: '1' }, NONE, '1'],
    [{ choose: ['1', '1'] }, NONE, null],
  ])('%j', (query, wanted, choose) => {
    expect(readQuery({ ...LINK, ...query })).toEqual({ ...LINK, wanted, choose, paid: null, shown: null });
  });

  it.each([
    [{ paid: '1' }, '1'],
    [{ paid: ['1', '2'] }, null],
    [{ paid: '' }, null],
  ])('opens the form for a payment that is not shown by %j', (query, paid) => {
    expect(readQuery({ ...LINK, ...query }).paid).toBe(paid);
  });

  it.each([
    [{ shown: 'ethereum/eth' }, ETH],
    [{ shown: 'ethereum' }, null],
    [{ shown: ['ethereum/eth', 'bsc/bnb'] }, null],
    [{ shown: '' }, null],
  ])('reads %j as the method that an open page shows, which no link keeps', (query, shown) => {
    const page = readQuery({ ...LINK, ...query });
    expect([page.shown, pageLink(page, {})]).toEqual([shown, pageLink(LINK, {})]);
  });

  it('keeps the language that the URL asks for', () => {
    expect(readQuery({ ...LINK, lang: 'de' }).lang).toBe('de');
    expect(pageLink({ ...LINK, lang: 'de' }, {})).toContain('&lang=de');
  });

  it.each([
    [{ seen: 'a.b' }, 'a.b', '&seen=a.b'],
    [{ seen: ['a.b', 'c.d'] }, null, ''],
    [{}, null, ''],
  ])('keeps %j of a browser without cookies', (query, seen, added) => {
    const page = readQuery({ ...LINK, ...query });
    expect([page.seen, pageLink(page, {})]).toEqual([seen, `${pageLink(LINK, {})}${added}`]);
  });
});

it('pageLink escapes parameters', () => {
  expect(pageLink(LINK, { provider: 'a&b=c "', method: 'é' })).toBe(
    `?expires=1773576000&signature=${LINK.signature}&provider=a%26b%3Dc+%22&method=%C3%A9`,
  );
});

describe('readChoice', () => {
  it.each<[unknown, ReturnType<typeof readChoice>]>([
    [ETH, ETH],
    [
      { ...ETH, provider: 'bnb-chain', more: 'x' },
      { ...ETH, provider: 'bnb-chain' },
    ],
    [{ method: 'eth' }, { provider: null, method: 'eth' }],
    [{ provider: ['ethereum', 'tron'], method: { a: 'eth' } }, NONE],
    [{ provider: 'a/../b', method: 'e'.repeat(41) }, NONE],
    [{ provider: '', method: 'eth\n' }, NONE],
    ['provider=ethereum', NONE],
    [undefined, NONE],
    [null, NONE],
  ])('%j', (body, choice) => expect(readChoice(body)).toEqual(choice));
});

describe('readReportForm', () => {
  const NOTHING = { txHash: '', provider: null };
  it.each<[unknown, ReturnType<typeof readReportForm>]>([
    [
      { txHash: ' 0xab ', provider: 'base' },
      { txHash: ' 0xab ', provider: 'base' },
    ],
    [
      { txHash: 'x'.repeat(500), provider: '' },
      { txHash: 'x'.repeat(500), provider: null },
    ],
    [{ txHash: 'x'.repeat(501) }, NOTHING],
    [{ txHash: ['a', 'b'], provider: { a: 'b' } }, NOTHING],
    ['txHash=0xab', NOTHING],
    [undefined, NOTHING],
    [null, NOTHING],
  ])('%j', (body, report) => expect(readReportForm(body)).toEqual(report));
});

describe('pageOfChoice', () => {
  const page = { ...LINK, wanted: NONE, choose: null, paid: null, shown: null };
  it.each([
    [ETH, 'provider=ethereum&method=eth'],
    [{ provider: null, method: 'eth' }, 'method=eth'],
    [{ provider: 'ethereum', method: null }, 'choose=incomplete'],
    [NONE, 'choose=incomplete'],
  ])('%j', (choice, query) => expect(pageOfChoice(page, choice)).toBe(`${pageLink(LINK, {})}&${query}`));
});
