import { randomBytes } from 'node:crypto';
import { mnemonicToAccount } from 'viem/accounts';
import type { Hex, TestChain } from './anvil.js';
import type { EngineDriver, Output } from './chain-driver.js';
import { MultiSend } from './contracts/artifacts.js';

const ZERO: Hex = `0x${'0'.repeat(40)}`;
/** The words of anvil's accounts. */
const MNEMONIC = 'test test test test test test test test test test test junk';
/** Of those accounts, the one whose transactions are signed here, so that nothing else uses its nonces. */
const SIGNER = 9;
const GWEI = 10n ** 9n;

/** Acts on an anvil; mines one block. */
export async function evmDriver(node: TestChain): Promise<EngineDriver> {
  const sender = await node.deploy(MultiSend);
  const signer = mnemonicToAccount(MNEMONIC, { addressIndex: SIGNER });
  const signed = (txHash: string) => node.rpc<Hex>('eth_getRawTransactionByHash', [txHash]);
  return {
    large: 1_500_000_000_000_000_001n,
    newKey: () => randomBytes(20),
    pay: async (outputs) => {
      const sends = outputs.map(({ key, amount }) => ({ token: ZERO, to: addressOf(key), value: amount }));
      const [only] = sends;
      if (only && sends.length === 1) return node.sendEth(only);
      const value = outputs.reduce((sum, { amount }) => sum + amount, 0n);
      return node.call(sender, 'send', [sends], { value });
    },
    mine: async (blocks) => {
      await node.mine(blocks);
      return node.blockNumber();
    },
    fork: async (depth, keep) => {
      const raw = await Promise.all(keep.map(async (one) => (isHash(one) ? signed(one) : (one as Hex))));
      await node.reorg(
        depth,
        raw.map((one) => [one, 0]),
      );
    },
    rollback: async (depth) => {
      await node.rpc('anvil_rollback', [depth]);
    },
    rivals: async (one, other) => {
      const nonce = Number(await node.rpc('eth_getTransactionCount', [signer.address, 'pending']));
      const sign = ({ key, amount }: Output, tip: bigint) =>
        signer.signTransaction({
          type: 'eip1559',
          chainId: node.chainId,
          nonce,
          to: addressOf(key),
          value: amount,
          gas: 21_000n,
          maxFeePerGas: 100n * tip,
          maxPriorityFeePerGas: tip,
        });
      return [await sign(one, GWEI), await sign(other, 2n * GWEI)];
    },
    signed,
    submit: (raw) => node.rpc<string>('eth_sendRawTransaction', [raw]),
    paid: (keys) => Promise.all(keys.map((key) => node.balance(addressOf(key)))),
    tip: async () => {
      const height = await node.blockNumber();
      return { height, hash: (await node.blockHash(height)) ?? '' };
    },
  };
}

function addressOf(key: Buffer): Hex {
  return `0x${key.toString('hex')}`;
}

/** 32 bytes; a signed transaction is longer. */
function isHash(text: string): boolean {
  return text.length === 66;
}
