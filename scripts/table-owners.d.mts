export interface TableRules {
  owners: Map<string, string>;
  readers: Record<string, Record<string, string>>;
  writers: Record<string, Record<string, string>>;
}
export function moduleOf(file: string): string;
export function ownersOf(files: Map<string, string>): Map<string, string>;
export function tablesWithoutEntity(schema: string, owners: Map<string, string>): string[];
export function checkTableOwners(files: Map<string, string>, rules: TableRules): string[];
