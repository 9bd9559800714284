import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** What a test finds must not depend on how fast the machine is: it waits for conditions, and compares no times with limits. */
const ROOT = path.resolve(import.meta.dirname, '..');
const PLACES: [folder: string, files: RegExp][] = [
  ['test', /\.(ts|mjs)$/],
  ['src', /\.spec\.ts$/],
  ['sdk/src', /\.spec\.ts$/],
  ['web', /\.spec\.tsx?$/],
  ['bench', /\.spec\.ts$/],
];
/** Files that wait for time or judge it, and why they may. */
const ALLOWED: Record<string, string> = {
  'test/chain-fuzz/campaign.ts': 'pauses that a seed chooses: whatever happens meanwhile must be right',
  'test/chain-fuzz/evm-actor.ts': 'the same',
  'test/chain-fuzz/utxo-actor.ts': 'the same',
  'test/chaos/fleet.ts': 'the moment of a kill, which a seed chooses',
  'test/chaos/load-generator.ts': 'customers who pause between two payments',
  'test/nightly/demo-environment.e2e-spec.ts': "holds a chain's clock against that of the machine",
  'test/faults/database-faults.ts': "waits for the gateway's own deadline of a server that has vanished",
  'test/faults/merchant-endpoint.ts': 'an endpoint that takes its time',
  'test/harness/debian.mjs': 'a limit against hanging',
  'test/harness/docs/shell.mjs': 'a limit against hanging',
  'test/harness/install.mjs': 'within the limit of requests, asks each second until a chain is offered',
  'test/harness/tenant-costs.mjs':
    'a merchant who pauses between two requests, and how much slower others make each',
  'test/harness/tenants.mjs':
    'measures how much slower one merchant makes another; by hand, on an idle machine',
  'test/support/merchant-server.ts': 'an endpoint that takes its time',
};

const CLOCK = /^(performance\.now|Date\.now|process\.hrtime(\.bigint)?)$/;
const LIMIT = /^to(BeLessThan|BeGreaterThan|BeCloseTo)/;
const COMPARISONS = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

function some(node: ts.Node, is: (node: ts.Node) => boolean): boolean {
  return is(node) || ts.forEachChild(node, (child) => some(child, is) || undefined) === true;
}

/** In a loop of its function that ends by a condition, and not after some turns. */
function isPoll(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isWhileStatement(parent)) return parent.expression.kind !== ts.SyntaxKind.TrueKeyword;
  if (ts.isForStatement(parent)) return !parent.initializer;
  return (
    !ts.isIterationStatement(parent, false) &&
    !ts.isFunctionLike(parent) &&
    !ts.isSourceFile(parent) &&
    isPoll(parent)
  );
}

/** Names of timers that are promises, and what comes from a clock. */
function namesIn(file: ts.SourceFile): { sleeps: Set<string>; isTime: (node: ts.Node) => boolean } {
  const [sleeps, times] = [new Set<string>(), new Set<string>()];
  const isTime = (node: ts.Node) =>
    ts.isIdentifier(node)
      ? times.has(node.text)
      : ts.isCallExpression(node) && CLOCK.test(node.expression.getText());
  for (let size = -1; size < times.size;) {
    size = times.size;
    some(file, (node) => {
      if (ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'setTimeout')
        sleeps.add(node.name.text);
      if (ts.isVariableDeclaration(node) && node.initializer && some(node.initializer, isTime))
        times.add(node.name.getText());
      return false;
    });
  }
  return { sleeps, isTime };
}

/** Sleeps, and assertions on times. */
function findingsIn(name: string, text: string): string[] {
  if (!/setTimeout|waitForTimeout|performance\.now|Date\.now|hrtime/.test(text)) return [];
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const { sleeps, isTime } = namesIn(file);
  const found: string[] = [];
  some(file, (node) => {
    if (!ts.isCallExpression(node)) return false;
    const callee = node.expression.getText();
    const isSleep =
      sleeps.has(callee) ||
      callee.endsWith('.waitForTimeout') ||
      (callee === 'setTimeout' && (name.endsWith('spec.ts') || ts.isIdentifier(node.arguments[0] ?? node)));
    const isLimit =
      ts.isPropertyAccessExpression(node.expression) && LIMIT.test(node.expression.name.text)
        ? some(node, isTime)
        : callee === 'expect' &&
          node.arguments.some((argument) =>
            some(
              argument,
              (one) =>
                ts.isBinaryExpression(one) && COMPARISONS.has(one.operatorToken.kind) && some(one, isTime),
            ),
          );
    if (isLimit || (isSleep && !isPoll(node)))
      found.push(
        `${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.getText().slice(0, 80)}`,
      );
    return false;
  });
  return found;
}

function findAll(): string[] {
  return PLACES.flatMap(([folder, files]) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => files.test(name) && !name.includes('node_modules'))
      .map((name) => path.join(folder, name))
      .toSorted()
      .flatMap((name) => findingsIn(name, readFileSync(path.join(ROOT, name), 'utf8'))),
  );
}

it('no test sleeps, and none judges a time', () => {
  const found = findAll();
  expect(found.filter((one) => !(one.replace(/:.*/, '') in ALLOWED))).toEqual([]);
  const seen = new Set(found.map((one) => one.replace(/:.*/, '')));
  expect(Object.keys(ALLOWED).filter((name) => !seen.has(name))).toEqual([]);
});

it.each([
  'const begun = performance.now(); work(); expect(performance.now() - begun).toBeLessThan(5);',
  'const begun = Date.now(); const took = () => Date.now() - begun; expect(took() < 10, "late");',
  'import { setTimeout as delay } from "node:timers/promises"; for (let i = 0; i < 3; i++) await delay(5);',
  'await new Promise((resolve) => setTimeout(resolve, 100));',
  'await page.waitForTimeout(100);',
  'setTimeout(() => controller.abort(), 50);',
])('finds %s', (text) => expect(findingsIn('a.spec.ts', text)).toHaveLength(1));

it.each([
  'import { setTimeout as delay } from "node:timers/promises"; while (!(await isReady())) await delay(5);',
  'import { setTimeout as delay } from "node:timers/promises"; for (;;) { if (await isReady()) return; await delay(5); }',
  'const begun = performance.now(); say(`${performance.now() - begun} ms`);',
])('allows %s', (text) => expect(findingsIn('a.spec.ts', text)).toEqual([]));

/** Why the tests of a file stay in its order: what follows `@inOrder` in its first comment. */
const IN_ORDER = /^\/\*\*(?: \*|\s)*@inOrder\s*([^*]*)/;

it('every file whose tests are not shuffled says why', () => {
  const reasons = PLACES.flatMap(([folder]) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('spec.ts') && !name.includes('node_modules'))
      .map((name) => readFileSync(path.join(ROOT, folder, name), 'utf8'))
      .filter((text) => /^\/\*\*[^/]*@inOrder/.test(text))
      .map((text) => IN_ORDER.exec(text)?.[1]?.trim() ?? ''),
  );
  process.stdout.write(`${reasons.length} test files tell a story in its order\n`);
  expect(reasons.filter((reason) => reason.length < 20)).toEqual([]);
});
