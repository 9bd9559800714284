export function pinProblems(files: Map<string, string>): string[];
