import { Draft } from '../session/draft.js';

interface WalletDraft {
  applicationId: string;
  family: string;
  /** Public. */
  key: string;
}

export const walletDraft = new Draft<WalletDraft>('wallet');

export function findWalletDraft(applicationId: string): WalletDraft | null {
  const draft = walletDraft.find();
  return draft?.applicationId === applicationId ? draft : null;
}
