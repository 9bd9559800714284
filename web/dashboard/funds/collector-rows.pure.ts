import type { HoldingAddress } from '../api/operations.js';

/** A row of the file that the page that collects opens (src/wallets/collection-export.pure.ts). */
interface CollectorRow {
  blockchain: string;
  address: string;
  index: number;
  namespace: string;
  treasury: string;
  factory: string;
  /** Contracts. The coin of the network comes along with any of them, or alone. */
  tokens: string[];
}

/** The addresses of treasuries that have received something, each once with all of its tokens, by network. */
export function collectorFiles(received: readonly HoldingAddress[]): Map<string, CollectorRow[]> {
  const rows = new Map<string, CollectorRow>();
  for (const { blockchain, address, derivation, token } of received) {
    const treasury = derivation?.treasury;
    if (!treasury) continue;
    const key = `${blockchain} ${address}`;
    const row = rows.get(key) ?? {
      blockchain,
      address,
      index: derivation.index,
      namespace: treasury.namespace,
      treasury: treasury.address,
      factory: treasury.factory,
      tokens: [],
    };
    if (token && !row.tokens.includes(token.contractAddress)) row.tokens.push(token.contractAddress);
    rows.set(key, row);
  }
  const files = new Map<string, CollectorRow[]>();
  for (const row of rows.values()) files.set(row.blockchain, [...(files.get(row.blockchain) ?? []), row]);
  return files;
}
