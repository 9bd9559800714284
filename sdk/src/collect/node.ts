/** What a node says no to. */
export class NodeRefusal extends Error {}
/** The node cannot be reached, or answers something else than JSON-RPC. Nothing is lost: run it again. */
export class NodeSilence extends Error {}

export interface Receipt {
  /** Whether it did what it was for. */
  hasSucceeded: boolean;
}

/** A node of the chain, as collect-send needs it. */
export class ChainNode {
  private lastId = 0;

  constructor(private readonly url: string) {}

  async chainId(): Promise<bigint> {
    return quantityOf(await this.call('eth_chainId', []));
  }

  async count(address: string): Promise<bigint> {
    return quantityOf(await this.call('eth_getTransactionCount', [address, 'latest']));
  }

  async hasCode(address: string): Promise<boolean> {
    return (await this.call('eth_getCode', [address, 'latest'])) !== '0x';
  }

  /** Null: it is in no block. */
  async receipt(hash: string): Promise<Receipt | null> {
    const receipt = await this.call('eth_getTransactionReceipt', [hash]);
    if (receipt === null) return null;
    const { status, blockNumber } = receipt as { status?: unknown; blockNumber?: unknown };
    // Some nodes have one of a transaction that waits.
    if (blockNumber === null) return null;
    return { hasSucceeded: quantityOf(status) === 1n };
  }

  /** @throws NodeRefusal */
  async send(raw: string): Promise<void> {
    await this.call('eth_sendRawTransaction', [raw]);
  }

  private async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const id = ++this.lastId;
    let answer: { id?: unknown; result?: unknown; error?: { message?: unknown } };
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        signal: AbortSignal.timeout(30_000),
      });
      answer = (await response.json()) as typeof answer;
    } catch (error) {
      throw new NodeSilence(`The node does not answer ${method}. Run this again: nothing is sent twice.`, {
        cause: error,
      });
    }
    if (answer.error) throw new NodeRefusal(String(answer.error.message));
    if (answer.id !== id || answer.result === undefined)
      throw new NodeSilence(
        `The node answers ${method} with something else. Run this again: nothing is sent twice.`,
      );
    return answer.result;
  }
}

function quantityOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    throw new NodeSilence('The node sent something that is no number.');
  return BigInt(value);
}
