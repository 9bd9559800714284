/** What a node can do for payments, the most important first. */
export const ABILITIES = [
  'blocks',
  'mempool',
  'tokens',
  'contracts',
  'receipts',
  'finality',
  'history',
] as const;
export type Ability = (typeof ABILITIES)[number];

interface Facts {
  hasMempool: boolean;
  /** Of an EVM node; null: of another family. */
  capabilities: { native: string; blockReceipts: boolean; finalizedTag: boolean; logRange: number } | null;
  /** Null: it did not say. */
  hasOldBlocks: boolean | null;
}

/** Of a node that shows its newest block. What its family does not have is left out; null: it did not say. */
export function abilitiesOf({ hasMempool, capabilities, hasOldBlocks }: Facts): {
  ability: Ability;
  has: boolean | null;
}[] {
  const has: Partial<Record<Ability, boolean | null>> = {
    blocks: true,
    ...(hasMempool && { mempool: true }),
    ...(capabilities && {
      // Logs are also in receipts.
      tokens: capabilities.logRange > 0 || capabilities.blockReceipts,
      contracts: capabilities.native !== 'transactions',
      receipts: capabilities.blockReceipts,
      finality: capabilities.finalizedTag,
    }),
    history: hasOldBlocks,
  };
  return ABILITIES.flatMap((ability) => {
    const value = has[ability];
    return value === undefined ? [] : [{ ability, has: value }];
  });
}
