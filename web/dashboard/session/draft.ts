/** What was entered and not sent, for the way to the sign-in and back: of this tab, and nothing secret. */
export class Draft<T> {
  private readonly stored: string;

  /** @param name of the form */
  constructor(name: string) {
    this.stored = `dashboard.draft.${name}`;
  }

  keep(values: T): void {
    sessionStorage.setItem(this.stored, JSON.stringify(values));
  }

  find(): T | null {
    const text = sessionStorage.getItem(this.stored);
    return text === null ? null : (JSON.parse(text) as T);
  }

  /** It was sent, or given up: another visit begins anew. */
  drop(): void {
    sessionStorage.removeItem(this.stored);
  }
}
