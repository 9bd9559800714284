import type { MessageKey } from '../i18n/message-key.pure.js';

/** A place to go to. */
export interface Choice {
  path: string;
  text: string;
  /** What tells it from others of the same text; empty: nothing. */
  hint: string;
}

export interface Choices {
  title: MessageKey;
  items: readonly Choice[];
}

interface Known {
  /** With their names in the reader's language. */
  screens: readonly Choice[];
  applications: readonly Choice[];
  /** Found by the gateway, not by their text. */
  payments: readonly Choice[];
}

/** Letters are enough to ask the gateway for payments. */
export const LEAST_LETTERS = 2;

/** What fits the text, by kind; without any text all screens. */
export function choicesOf(input: string, { screens, applications, payments }: Known): Choices[] {
  const asked = input.trim().toLowerCase();
  const fits = ({ text }: Choice) => text.toLowerCase().includes(asked);
  const all: Choices[] = [
    { title: 'palette.screens', items: screens.filter(fits) },
    { title: 'nav.applications', items: asked === '' ? [] : applications.filter(fits) },
    { title: 'nav.payments', items: asked.length < LEAST_LETTERS ? [] : payments },
  ];
  return all.filter(({ items }) => items.length > 0);
}
