import { Draft } from '../session/draft.js';

interface WalletDraft {
  /** Null: a default wallet. */
  applicationId: string | null;
  family: string;
  /** Public. */
  key: string;
}

export const walletDraft = new Draft<WalletDraft>('wallet');

export function findWalletDraft(applicationId: string | null): WalletDraft | null {
  const draft = walletDraft.find();
  return draft !== null && draft.applicationId === applicationId ? draft : null;
}
