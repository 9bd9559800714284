/** What can be done with the wallets of an application. */
const OF_APPLICATION = {
  list: 'listWallets',
  put: 'putWallet',
  remove: 'deleteWallet',
  compare: 'compareWallet',
  stateGap: 'stateGapLimit',
  keep: 'cancelWalletChange',
} as const;

/** The same with the default ones, for applications without a wallet of their own. */
const DEFAULTS = {
  list: 'listAccountWallets',
  put: 'putAccountWallet',
  remove: 'deleteAccountWallet',
  compare: 'compareAccountWallet',
  stateGap: 'stateAccountGapLimit',
  keep: 'cancelAccountWalletChange',
} as const;

export type WalletOperations = typeof OF_APPLICATION | typeof DEFAULTS;

/** @param applicationId null: of the default wallets */
export const walletOperations = (applicationId: string | null): WalletOperations =>
  applicationId === null ? DEFAULTS : OF_APPLICATION;

/** The parameters of these operations; those of default wallets have no id in their path. */
export const walletPath = (applicationId: string | null, family = '') => ({
  id: applicationId ?? '',
  family,
});
