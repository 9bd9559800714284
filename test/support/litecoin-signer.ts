import { parseExact, stringifyExact } from '../../src/platform/kernel/exact-json.pure.js';
import type { UtxoNode } from './litecoind.js';

/** A wallet of litecoind that has keys: not one line of it is ours. Debian's has no wallets of descriptors. */
export class LitecoinSigner {
  private constructor(private readonly node: UtxoNode) {}

  /** @param descriptors without checksum, of a range */
  static async open(node: UtxoNode, descriptors: readonly string[]): Promise<LitecoinSigner> {
    const signer = new LitecoinSigner(node);
    await node.rpc('createwallet', ['signer', false, true]);
    for (const descriptor of descriptors) {
      const { checksum } = await node.rpc<{ checksum: string }>('getdescriptorinfo', [descriptor]);
      const all = { desc: `${descriptor}#${checksum}`, range: [0, 99], timestamp: 'now' };
      const [imported] = await signer.call<{ success: boolean }[]>('importmulti', [[all]]);
      if (!imported?.success) throw new Error(stringifyExact(imported));
    }
    await node.rpc('unloadwallet', ['signer']);
    return signer;
  }

  /** The whole transaction, in hex. */
  async sign(psbt: string): Promise<string> {
    await this.node.rpc('loadwallet', ['signer']);
    try {
      const signed = await this.call<{ psbt: string; complete: boolean }>('walletprocesspsbt', [psbt, true]);
      expect(signed.complete).toBe(true);
      return (await this.call<{ hex: string }>('finalizepsbt', [signed.psbt])).hex;
    } finally {
      await this.node.rpc('unloadwallet', ['signer']);
    }
  }

  /** The wallet is loaded for each use, because the node's others are asked without a name. */
  private async call<T>(method: string, params: unknown[]): Promise<T> {
    const { origin, username, password } = new URL(this.node.url);
    const response = await fetch(`${origin}/wallet/signer`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
      body: stringifyExact({ id: 1, method, params }),
    });
    const { result, error } = parseExact(await response.text()) as { result: T; error: object | null };
    if (error) throw new Error(stringifyExact(error));
    return result;
  }
}
