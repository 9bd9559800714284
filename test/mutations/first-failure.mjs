import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Ends the run at the first test that fails, and leaves its name in the file MUTATION_RESULT. */
export default class FirstFailure {
  onTestCaseResult({ path: spec }, { status, fullName }) {
    if (status === 'failed') end(spec, fullName);
  }

  /** A file that could not be loaded, or failed outside of its tests. */
  onTestResult({ path: spec }, { testExecError, numFailingTests }) {
    if (testExecError || numFailingTests > 0) end(spec, 'the file itself');
  }
}

function end(spec, title) {
  const result = { spec: path.relative(process.cwd(), spec), title };
  writeFileSync(process.env['MUTATION_RESULT'], JSON.stringify(result));
  process.exit(1);
}
