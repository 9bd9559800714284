const STORED = 'dashboard.locale';

/** The language that was chosen in this browser; null: none was, or storage is switched off. */
export function storedLocale(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/** Takes effect when the page is loaded again. */
export function storeLocale(locale: string): void {
  localStorage.setItem(STORED, locale);
}
