export interface GlossaryTerm {
  word: string;
  /** Other forms of the word that a sentence may have. */
  forms?: string[];
  /** Words that must not stand for it. */
  not?: string[];
}

export interface Glossary {
  /** Words are not parted by spaces. */
  joined?: boolean;
  address?: { form: string; wrong: string[]; except?: string[] };
  /** Patterns that a text must not contain, and what to say then; on some pages only. */
  writing?: { wrong: string; why: string; pages?: 'customer' | 'dashboard' }[];
  /** In English only, `always`: a translation of a sentence with the term has it, too, but for the keys of `except`. */
  terms: Record<string, GlossaryTerm & { always?: boolean; except?: string[]; dashboard?: GlossaryTerm }>;
}

export function glossaryProblems(one: {
  glossary: Glossary;
  english: Glossary;
  pages: 'customer' | 'dashboard';
  key: string;
  message: string;
  source: string;
}): string[];
