/** `failure`: money or customers are at risk now. `warning`: it works now, but may fail. */
export type Severity = 'ok' | 'warning' | 'failure';

/** Result of one check. */
export interface Finding {
  /** The subject of the check, e.g. `chain ethereum`. */
  subject: string;
  severity: Severity;
  /** One sentence; never a secret, never the address of a node. */
  found: string;
  /** The remedy; null if nothing is wrong. */
  fix: string | null;
}

/** Creates the findings about one subject. */
export class Subject {
  constructor(readonly name: string) {}

  ok(found: string): Finding {
    return { subject: this.name, severity: 'ok', found, fix: null };
  }

  warning(found: string, fix: string): Finding {
    return { subject: this.name, severity: 'warning', found, fix };
  }

  failure(found: string, fix: string): Finding {
    return { subject: this.name, severity: 'failure', found, fix };
  }
}

/** The message of any thrown value. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch has the reason in the cause, and a connection to several addresses in its parts.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

const WIDTH = 22;

/** One line per finding with its fix below, and a last line with the totals. */
export function findingsText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ subject, severity, found, fix }) => [
    `${severity.padEnd(8)} ${subject.padEnd(WIDTH)} ${found}`,
    ...(fix === null ? [] : [`${' '.repeat(8)} ${'→ do'.padEnd(WIDTH)} ${fix}`]),
  ]);
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  return `${lines.join('\n')}\n${count('ok')} ok, ${count('warning')} warnings, ${count('failure')} failures\n`;
}
