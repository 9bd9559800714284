export interface ContrastRow {
  pair: string;
  light: number;
  dark: number;
  print: number;
  least: number;
}
export function contrast(a: string, b: string): number;
export function schemesOf(tokens: string): Record<'light' | 'dark' | 'print', Map<string, string>>;
export function checkContrast(
  tokens: string,
  sheets: Map<string, string>,
): { rows: ContrastRow[]; problems: string[] };
