import type { Wallet } from '../api/operations.js';
import { Draft } from '../session/draft.js';

export type WalletKind = Wallet['kind'];

interface WalletDraft {
  /** Null: a default wallet. */
  applicationId: string | null;
  family: string;
  /** Public: a key, or the address of a treasury. */
  key: string;
  kind: WalletKind;
}

export const walletDraft = new Draft<WalletDraft>('wallet');

export function findWalletDraft(applicationId: string | null): WalletDraft | null {
  const draft = walletDraft.find();
  return draft !== null && draft.applicationId === applicationId ? draft : null;
}
