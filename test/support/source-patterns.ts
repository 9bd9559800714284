import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A regular expression of the program, and where it stands. */
export interface SourcePattern {
  source: string;
  flags: string;
  places: string[];
}

/** What a value that is only known at runtime, such as an escaped address, stands for. */
const UNKNOWN = 'x';

/** Every regular expression below these folders: literals, and what `new RegExp()` is given, with the constants of its file. */
export function sourcePatterns(...folders: string[]): SourcePattern[] {
  const found = new Map<string, SourcePattern>();
  const files = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.(spec|d)\.tsx?$/.test(file));
  for (const path of files.toSorted()) {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    visit(file, (node) => {
      const pattern = patternOf(node, file);
      if (!pattern) return;
      const [source, flags] = pattern;
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      const known = found.get(`${source}/${flags}`) ?? { source, flags, places: [] };
      known.places.push(`${path}:${line + 1}`);
      found.set(`${source}/${flags}`, known);
    });
  }
  return [...found.values()];
}

function visit(node: ts.Node, on: (node: ts.Node) => void): void {
  on(node);
  ts.forEachChild(node, (child) => visit(child, on));
}

function patternOf(node: ts.Node, file: ts.SourceFile): [source: string, flags: string] | null {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return [node.text.slice(1, end), node.text.slice(end + 1)];
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return null;
  if (node.expression.getText() !== 'RegExp') return null;
  const [source, flags] = node.arguments ?? [];
  return [source ? textOf(source, file) : '', flags ? textOf(flags, file) : ''];
}

/** The value of an expression of constant strings and numbers. */
function textOf(node: ts.Expression, file: ts.SourceFile): string {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node))
    return node.tag.getText() === 'String.raw' ? templateText(node.template, file, true) : UNKNOWN;
  if (ts.isTemplateExpression(node)) return templateText(node, file, false);
  const constant = ts.isIdentifier(node) ? constantOf(node.text, file) : null;
  return constant ? textOf(constant, file) : UNKNOWN;
}

function templateText(node: ts.TemplateLiteral, file: ts.SourceFile, isRaw: boolean): string {
  const piece = (part: ts.TemplateLiteralLikeNode) => (isRaw ? (part.rawText ?? part.text) : part.text);
  if (ts.isNoSubstitutionTemplateLiteral(node)) return piece(node);
  const spans = node.templateSpans.map(
    ({ expression, literal }) => textOf(expression, file) + piece(literal),
  );
  return piece(node.head) + spans.join('');
}

function constantOf(name: string, file: ts.SourceFile): ts.Expression | null {
  for (const statement of file.statements)
    if (ts.isVariableStatement(statement))
      for (const { name: declared, initializer } of statement.declarationList.declarations)
        if (declared.getText() === name) return initializer ?? null;
  return null;
}
