export function checkCitations(
  files: ReadonlyMap<string, string | null>,
  home: string,
): { count: number; dead: string[] };
export function slugOf(heading: string): string;
export function anchorsOf(markdown: string): Set<string>;
