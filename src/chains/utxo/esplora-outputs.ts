import { parseExact } from '../../platform/kernel/exact-json.pure.js';
import type { OutputClaim, OutputReader, OutputState } from '../output-reader.pure.js';
import type { EsploraHttp } from './esplora-http.js';
import { perByte } from './fee-rate.pure.js';
import { checkedPrevious } from './previous-transaction.pure.js';
import { toObject } from './utxo-source.js';

/** As many as connections. */
const AT_ONCE = 4;
/** Blocks until a transaction should be mined. */
const TARGET = '6';

/** Of an Esplora endpoint: a request for each output, so its operator learns which ones are asked for. */
export class EsploraOutputs implements OutputReader {
  readonly most = 100;

  constructor(private readonly http: EsploraHttp) {}

  states(claims: readonly OutputClaim[]): Promise<OutputState[]> {
    return inTurns(claims, (claim) => this.ask(claim), 'unread');
  }

  previous(claims: readonly OutputClaim[]): Promise<(Buffer | null)[]> {
    const read = async ({ txHash }: OutputClaim) =>
      checkedPrevious((await this.text(`/tx/${txHash}/hex`))?.trim(), txHash);
    return inTurns(claims, read, null);
  }

  async feeRate(): Promise<bigint | null> {
    const [rate = null] = await inTurns(
      ['/fee-estimates'],
      async (path) => {
        const text = await this.text(path);
        return text === null ? null : perByte(toObject(parseExact(text))[TARGET], 'units-for-1');
      },
      null,
    );
    return rate;
  }

  /** An endpoint says of an output that does not exist that it is not spent, so its block decides. */
  private async ask({ txHash, vout, height, blockHash }: OutputClaim): Promise<OutputState> {
    if ((await this.text(`/block-height/${height}`))?.trim() !== blockHash) return 'unknown';
    const found = await this.text(`/tx/${txHash}/outspend/${vout}`);
    if (found === null) return 'unknown';
    const { spent } = toObject(parseExact(found));
    if (typeof spent !== 'boolean') return 'unread';
    return spent ? 'spent' : 'unspent';
  }

  private async text(path: string): Promise<string | null> {
    return (await this.http.find(path))?.toString('utf8') ?? null;
  }
}

/** @param otherwise the result of whatever failed: the endpoint refused, or sent something else */
async function inTurns<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
  otherwise: Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const settled = await Promise.allSettled(items.slice(start, start + AT_ONCE).map(ask));
    for (const one of settled) results.push(one.status === 'fulfilled' ? one.value : otherwise);
  }
  return results;
}
