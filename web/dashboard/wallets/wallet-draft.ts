/** What was entered and not sent; public keys only. */
export interface WalletDraft {
  applicationId: string;
  family: string;
  key: string;
}

const STORED = 'dashboard.wallet-draft';

/** For the way to the sign-in and back: of this tab, until it is read. */
export function keepDraft(draft: WalletDraft): void {
  sessionStorage.setItem(STORED, JSON.stringify(draft));
}

/** Once: another visit begins anew. */
export function findDraft(applicationId: string): WalletDraft | null {
  const stored = sessionStorage.getItem(STORED);
  const draft = stored === null ? null : (JSON.parse(stored) as WalletDraft);
  return draft?.applicationId === applicationId ? draft : null;
}

export function dropDraft(): void {
  sessionStorage.removeItem(STORED);
}
