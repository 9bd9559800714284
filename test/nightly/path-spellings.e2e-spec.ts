import http from 'node:http';
import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import { DOCUMENT } from '../support/contract/document-schemas.js';
import { type Located, operationsOf } from '../support/contract/operations.js';
import { createOwnerWithClient } from '../support/principals.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

/*
 * One address has one meaning: a path that is spelled otherwise is answered as the document says for that very spelling,
 * with the same guards, or not found. Each address of the document is spelled in each way.
 */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ID = '0190a000-0000-7000-8000-000000000000';
const all = operationsOf(DOCUMENT);
const filled = (path: string, id: string) => path.replace(/\{[^}]+\}/g, id);
const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

/** Of a path, for every address. */
const SPELLINGS: Record<string, (path: string) => string> = {
  'in capitals': (path) => path.toUpperCase(),
  'with a slash behind': (path) => `${path}/`,
  'with two slashes in front': (path) => `/${path}`,
  'with two slashes inside': (path) => path.replace(/(?<=.)\//, '//'),
  'with a slash that is encoded': (path) => path.replace(/(?<=.)\//, '%2F'),
  'with a backslash': (path) => path.replace(/(?<=.)\//, '\\'),
  'with a first word that is encoded': (path) => path.replace(/(?<=^\/)./, encoded),
  'with a last word that is encoded': (path) => path.replace(/[^/](?=[^/]*$)/, encoded),
  'encoded twice': (path) => path.replace(/(?<=^\/)./, (letter) => encoded(letter).replace('%', '%25')),
  'over this folder': (path) => path.replace(/(?<=.)\//, '/./'),
  'over the folder above': (path) => path.replace(/(?<=.)\//, '/x/../'),
  'over the folder above, encoded': (path) => path.replace(/(?<=.)\//, '/x/%2e%2e/'),
  'with a parameter': (path) => `${path};x=1`,
  'as JSON': (path) => `${path}.json`,
  'with a space behind': (path) => `${path}%20`,
  'with a NUL behind': (path) => `${path}%00`,
};

/** In the place of an id. */
const IDS = [
  '..',
  '%2e%2e',
  '%2F',
  `${ID}%2F..`,
  `${ID}%00`,
  '%',
  '%C0%AF',
  `${ID}%3F`,
  '__proto__',
  'constructor',
];

interface Answer {
  status: number;
  allow: string[];
}

let gateway: TestGateway;
let token: string;
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
beforeAll(async () => {
  gateway = await startTestGateway();
  const owner = await createOwnerWithClient(gateway);
  // Who may everything gets past every guard to what reads the path.
  await gateway.get(UsersService).setOperator(owner.userId, true);
  token = owner.accessToken;
});
afterAll(async () => {
  agent.destroy();
  await gateway.close();
});

/** The path as it is: fetch() would tidy it. */
async function ask(method: string, path: string, headers = {}): Promise<Answer> {
  const { hostname, port } = new URL(gateway.baseUrl);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, method, path, headers, agent }, (response) => {
      const allow = (response.headers.allow ?? '').split(', ').filter((name) => METHODS.includes(name));
      response.resume().on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, allow: allow.sort() }));
    });
    request.on('error', reject).end();
  });
}

/** The operations of a path as it is spelled, by method. */
function operationsAt(path: string): Map<string, Located> {
  const [best, ...others] = all.filter(({ pattern }) => pattern.test(path));
  const same = others.filter(({ pattern }) => pattern.source === best?.pattern.source);
  return new Map([...(best ? [best] : []), ...same].map((one) => [one.method.toUpperCase(), one]));
}

/** What is wrong with an answer to somebody without a token; null: nothing. Not found is always right. */
function problemOf(method: string, path: string, { status, allow }: Answer): string | null {
  const operations = operationsAt(path);
  const operation = operations.get(method)?.operation;
  const own = [...operations.keys()].sort();
  if (status === 404) return null;
  if (own.length === 0) return 'there is no such address';
  if (!operation) return status === 405 && String(allow) === String(own) ? null : `it has ${own.join()}`;
  const isOpen = operation.security.length === 0;
  return (isOpen ? status < 500 : status === 401) ? null : 'it is guarded';
}

/** One of the methods of an address, and one that it does not have. */
function triedMethods(path: string): string[] {
  const own = operationsAt(path);
  return [METHODS.find((method) => own.has(method)), METHODS.find((method) => !own.has(method))].filter(
    (method) => method !== undefined,
  );
}

// The examples in the document look like secrets that were given away.
const addresses = [...new Set(all.map(({ path }) => filled(path, ID)))].filter(
  (path) => path !== '/api/openapi.json',
);

it('most addresses ask for a token', async () => {
  const found = await Promise.all(addresses.map(async (path) => (await ask('GET', path)).status));
  expect(found.filter((status) => status === 401).length).toBeGreaterThan(50);
});

it.each(Object.keys(SPELLINGS))('an address %s is guarded as it is, or not there', async (name) => {
  const spelled = addresses.map((path) => SPELLINGS[name]?.(path) ?? path);
  const requests = spelled.flatMap((path) => triedMethods(path).map((method) => ({ method, path })));
  const problems = await Promise.all(
    requests.map(async ({ method, path }) => {
      const answer = await ask(method, path);
      const problem = problemOf(method, path, answer);
      return problem && `${method} ${path} ${answer.status} ${answer.allow.join()}: ${problem}`;
    }),
  );
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
});

it.each(IDS)("the id %s is nobody's", async (id) => {
  // Every address of a screen is the same page, whose script says what is not there.
  const withId = all.filter(({ path }) => path.includes('{') && !path.startsWith('/dashboard/{'));
  const problems: string[] = [];
  for (const { path, method } of withId) {
    const { status } = await ask(method.toUpperCase(), filled(path, id), {
      authorization: `Bearer ${token}`,
    });
    if (status < 400 || status >= 500) problems.push(`${method} ${path}: ${status}`);
  }
  expect(problems).toEqual([]);
});
