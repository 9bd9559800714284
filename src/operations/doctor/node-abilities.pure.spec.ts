import { abilitiesOf } from './node-abilities.pure.js';

const FULL = { native: 'trace_block', blockReceipts: true, finalizedTag: true, logRange: 10_000 };

it.each([
  [
    'a node with everything',
    { hasMempool: false, capabilities: FULL, hasOldBlocks: true },
    { blocks: true, tokens: true, contracts: true, receipts: true, finality: true, history: true },
  ],
  [
    'a plan without traces and receipts, whose logs show tokens',
    {
      hasMempool: false,
      capabilities: { native: 'transactions', blockReceipts: false, finalizedTag: false, logRange: 10 },
      hasOldBlocks: null,
    },
    { blocks: true, tokens: true, contracts: false, receipts: false, finality: false, history: null },
  ],
  [
    'receipts, which show tokens where there are no logs',
    { hasMempool: false, capabilities: { ...FULL, logRange: 0 }, hasOldBlocks: true },
    { blocks: true, tokens: true, contracts: true, receipts: true, finality: true, history: true },
  ],
  [
    'neither logs nor receipts',
    { hasMempool: false, capabilities: { ...FULL, logRange: 0, blockReceipts: false }, hasOldBlocks: true },
    { blocks: true, tokens: false, contracts: true, receipts: false, finality: true, history: true },
  ],
  [
    'a pruned node of a chain without contracts',
    { hasMempool: true, capabilities: null, hasOldBlocks: false },
    { blocks: true, mempool: true, history: false },
  ],
])('%s', (_title, facts, abilities) => {
  expect(Object.fromEntries(abilitiesOf(facts).map(({ ability, has }) => [ability, has]))).toEqual(abilities);
});
