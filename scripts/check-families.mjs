// Fails on code outside of src/chains/<family>/ that compares the name of a chain family: it must ask the family's
// object (src/chains/chain-families.pure.ts) instead, so that a new family is one folder and its registry entries.
//   node scripts/check-families.mjs [root]
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const FAMILIES = new Set(['evm', 'utxo', 'bitcoin', 'litecoin', 'dogecoin', 'bitcoincash', 'tron']);
const EQUALITY = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

const isFamily = (node) => ts.isStringLiteralLike(node) && FAMILIES.has(node.text);

function comparesFamily(node) {
  if (ts.isBinaryExpression(node) && EQUALITY.has(node.operatorToken.kind))
    return isFamily(node.left) || isFamily(node.right);
  if (ts.isCaseClause(node)) return isFamily(node.expression);
  // ['evm', 'tron'].includes(family)
  return (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === 'includes' &&
    ts.isArrayLiteralExpression(node.expression) &&
    node.expression.elements.some(isFamily)
  );
}

const problems = [];
for (const name of readdirSync(path.join(root, 'src'), { recursive: true })) {
  const file = path.posix.join('src', name);
  if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
  if (/^src\/chains\/(evm|utxo|tron)\//.test(file)) continue;
  const text = readFileSync(path.join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const visit = (node) => {
    if (comparesFamily(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      problems.push(`${file}:${line + 1}: ${node.getText(source).split('\n')[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

if (problems.length > 0) {
  console.error(`A chain family is compared by name outside of its folder:\n${problems.join('\n')}`);
  process.exit(1);
}
