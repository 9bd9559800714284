import { DOCUMENT } from './support/contract/document-schemas.js';
import { type Located, operationsOf } from './support/contract/operations.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

/*
 * A word of a path is never read as an id: `GET /api/payment/checkout` is a wrong method, not a payment that is not
 * found. For each address in the document beside which one with a parameter in its place stands.
 */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ID = '0190a000-0000-7000-8000-000000000000';
const all = operationsOf(DOCUMENT);
const filled = (path: string) => path.replace(/\{[^}]+\}/g, ID);

/** The address with its parameters filled in, and the methods that the document has for it. */
function siblings(): [address: string, methods: string[]][] {
  const addresses = [...new Set(all.map(({ path }) => path))];
  return addresses.flatMap((path) => {
    const fits = ({ pattern, path: other }: Located) => other !== path && pattern.test(filled(path));
    if (!all.some(fits)) return [];
    const own = all.filter((located) => located.path === path).map(({ method }) => method.toUpperCase());
    return [[filled(path), own.sort()] as [string, string[]]];
  });
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const allowOf = (response: Response) =>
  (response.headers.get('allow') ?? '')
    .split(', ')
    .filter((method) => METHODS.includes(method))
    .sort();

it('finds literal addresses beside ones with a parameter', () => {
  expect(siblings().map(([address]) => address)).toContain('/api/payment/checkout');
  expect(siblings().length).toBeGreaterThan(5);
});

it.each(siblings())('%s has the methods %j', async (address, own) => {
  const options = await fetch(`${gateway.baseUrl}${address}`, { method: 'OPTIONS' });
  expect([options.status, allowOf(options)]).toEqual([204, own]);
  for (const spelling of [address, `${address}/`, address.replace(/[a-z]+$/, (word) => word.toUpperCase())])
    for (const method of METHODS.filter((other) => !own.includes(other))) {
      const response = await fetch(`${gateway.baseUrl}${spelling}`, { method });
      await response.body?.cancel();
      expect([method, spelling, response.status, allowOf(response)]).toEqual([method, spelling, 405, own]);
    }
});
