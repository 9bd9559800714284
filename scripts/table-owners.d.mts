export interface TableRules {
  owners: Map<string, string>;
  readers: Record<string, Record<string, string>>;
  writers: Record<string, Record<string, string>>;
  infrastructure: string[];
  notConverted: string[];
}
export function moduleOf(file: string): string;
export function ownersOf(files: Map<string, string>, declared: Record<string, string>): Map<string, string>;
export function checkTableOwners(
  files: Map<string, string>,
  rules: TableRules,
): { problems: string[]; notConverted: number; converted: string[] };
