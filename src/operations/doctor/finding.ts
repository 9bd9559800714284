/** `failure`: money or customers are in danger now. `warning`: it works, and will not always. */
export type Severity = 'ok' | 'warning' | 'failure';

/** One thing that was looked at. */
export interface Finding {
  /** The subject of the check, e.g. `chain ethereum`. */
  subject: string;
  severity: Severity;
  /** One sentence; never a secret, never the address of a node. */
  found: string;
  /** The remedy; null if nothing is wrong. */
  fix: string | null;
}

/** Findings about one subject, in few words. */
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
  // fetch and sockets with several addresses put the reason into the cause, or into the parts.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

const WIDTH = 22;

/** A line a finding, with its fix below, and a last line that counts. */
export function findingsText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ subject, severity, found, fix }) => [
    `${severity.padEnd(8)} ${subject.padEnd(WIDTH)} ${found}`,
    ...(fix === null ? [] : [`${' '.repeat(8)} ${'→ do'.padEnd(WIDTH)} ${fix}`]),
  ]);
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  return `${lines.join('\n')}\n${count('ok')} ok, ${count('warning')} warnings, ${count('failure')} failures\n`;
}
