/** Who asked for a change of a wallet: a user who had signed in, or a server with the scope `wallets:write`. */
export const CHANGED_BY = ['user', 'server'] as const;
export type ChangedBy = (typeof CHANGED_BY)[number];

/** How far a change has come (specification/wallets.md#changes). */
export const CHANGE_STATES = ['pending', 'applied', 'cancelled'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];
