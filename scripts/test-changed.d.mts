export function readRepository(): { texts: Map<string, string>; imports: Map<string, string[]> };
export function jestArguments(specs: readonly string[], options?: readonly string[]): string[];
