import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * Unknown, missing and mistyped fields of manifests for Kubernetes: the compiler's opinion of each as a literal of its
 * kind's type.
 */
export function typeErrors(manifests: readonly { apiVersion: string; kind: string }[]): string[] {
  const file = path.join(root, 'test/manifests.generated.ts');
  const lines = manifests.map(({ apiVersion, kind, ...rest }, i) => {
    const type = `import('kubernetes-models/${apiVersion}').I${kind}`;
    return `export const manifest${i}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
  });
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, language, ...more) =>
    name === file
      ? ts.createSourceFile(name, lines.join('\n'), language)
      : readSource(name, language, ...more);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || fileExists(name);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
