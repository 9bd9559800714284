export interface TestChoice {
  chosen: { spec: string; reason: string }[];
  left: number;
  unknown: string[];
}

export function isSpec(file: string): boolean;
export function chooseTests(change: {
  changed: string[];
  texts: Map<string, string>;
  imports: Map<string, string[]>;
  limits?: { unit: number; endToEnd: number; browser: number };
}): TestChoice;
