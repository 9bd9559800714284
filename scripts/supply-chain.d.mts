export interface Lock {
  packages: Record<string, Record<string, unknown>>;
}

export interface Component {
  name: string;
  version: string;
  purl: string;
  hashes: { alg: string; content: string }[];
  licenses: { expression: string }[];
}

export interface BillOfMaterials {
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export function isKept(name: string): boolean;
export function keptPaths(lock: Lock): Set<string>;
export function lockfileProblems(manifest: object, lock: Lock): string[];
export function auditVerdict(output: string): {
  verdict: 'clean' | 'vulnerable' | 'not done';
  lines: string[];
};
export function billOfMaterials(lock: Lock, isThere: (path: string) => boolean): BillOfMaterials;
export function materialProblems(bill: Pick<BillOfMaterials, 'components'>): string[];
