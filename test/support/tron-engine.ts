import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { publicKeyToAddress } from 'viem/accounts';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { readTronAddress, toTronAddress } from '../../src/chains/tron/tron-address.pure.js';
import type { Hex } from './anvil.js';
import type { EngineDriver } from './chain-driver.js';
import type { EngineHarness } from './engine-harness.js';
import { Shop } from './shop.js';
import { PATIENCE_MS, watchDeadlines } from './silence.js';
import { newTronKey, TronNode, TronRaw } from './tron-node.js';
import { address, internalTransaction, transferContract, triggerContract } from './tron-shapes.js';

const ACCOUNT = HDKey.fromMasterSeed(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)).derive(
  "m/44'/195'/0'",
);
/** Addresses of the account that are looked through. */
const ADDRESSES = 500;
/** Where anvil puts the first contract of its first account: the shop's USDT. */
const USDT: Hex = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
/**
 * Blocks that make one final, itself counted: 19 of 27 producers have built on it
 * (specification/chains.md#confirmations).
 */
const CONFIRMATIONS = 20;

/** Why some situations cannot come about on this chain. */
export const TRON_NOT_APPLICABLE = {
  'mempool sight': 'no node lists what waits, so a payment is first seen in a block',
  replaced: 'transactions carry neither nonce nor fee, so none can take the place of another that waits',
};

export interface TronHarness extends EngineHarness {
  node: TronNode;
}

/** Nile on a scripted node, whose blocks become solidified as others come on top. */
export async function openTronHarness(): Promise<TronHarness> {
  const forgetDeadlines = watchDeadlines();
  const node = await TronNode.start();
  node.mine(200);
  const shop = await Shop.open({
    CHAIN_TRON_RPC_URL: node.url,
    CHAIN_TRON_NETWORK: 'nile',
    CHAIN_TRON_TOKENS: `USDT:${toTronAddress(Buffer.from(USDT.slice(2), 'hex'))}:6`,
    CHAIN_RPC_TIMEOUT_MS: String(PATIENCE_MS),
    WALLET_TRON_XPUB: ACCOUNT.publicExtendedKey,
  });
  if (shop.tokens.USDT.toLowerCase() !== USDT) throw new Error('the token is elsewhere');
  shop.rates.setPrice('TRX', 'USD', '0.25');
  const driver = tronDriver(node);
  const keys = accountKeys();
  return {
    shop,
    node,
    slug: 'tron',
    method: 'trx',
    confirmations: CONFIRMATIONS,
    driver,
    keyOf: ({ address: shown }) => {
      const key = keys.get(shown);
      if (!key) throw new Error(`${shown} is not of the account`);
      return key;
    },
    // A transfer, a contract that pays on, and the logs of a real token.
    payFully: async (payment) => {
      const trx = await shop.instructions(payment, 'trx', 'tron');
      const usdt = await shop.instructions(payment, 'usdt', 'tron');
      const key = readKey(trx.address);
      const quarter = BigInt(trx.amount.amount) / 4n;
      node.pay([{ key, amount: quarter }]);
      node.pay([
        { key: newTronKey(), amount: 5n },
        { key, amount: quarter },
      ]);
      const sent = await shop.chain.sendToken({
        token: USDT,
        to: `0x${key.toString('hex')}`,
        value: BigInt(usdt.amount.amount) / 2n,
      });
      await shop.chain.mine();
      await node.carry(shop.chain, sent);
    },
    payInVain: async (key, amount) => {
      node.pay([{ key, amount }], { contractRet: 'OUT_OF_ENERGY' });
      const spender = newTronKey();
      const internal = [internalTransaction(spender, key, [{ callValue: amount }])];
      node.submit(triggerContract(newTronKey(), spender), { contractRet: 'REVERT', internal });
      // Taken back inside of a transaction that succeeds.
      const undone = [internalTransaction(spender, key, [{ callValue: amount }], 'call', true)];
      node.submit(triggerContract(newTronKey(), spender), { internal: undone });
    },
    forget: async (txHash) => {
      node.forget(txHash);
      return async () => node.handIn(txHash);
    },
    breakAfter: (calls) => {
      let left = calls;
      node.setFaults({ '*': (answer) => (left-- > 0 ? answer : new TronRaw(503)) });
    },
    faulted: () => node.faulted,
    clearFaults: () => node.setFaults({}),
    close: async () => {
      await shop.close();
      await node.stop();
      forgetDeadlines();
    },
  };
}

/** Acts on a scripted node. A signed transaction is its hash: the node remembers all that were ever made. */
function tronDriver(node: TronNode): EngineDriver {
  const solidify = () => node.solidify(node.height - CONFIRMATIONS + 1);
  solidify();
  return {
    large: 95_000_000_000_000_001n,
    newKey: newTronKey,
    pay: async (outputs) => node.pay(outputs),
    mine: async (blocks) => {
      node.mine(blocks);
      solidify();
      return node.height;
    },
    fork: async (depth, keep) => node.fork(depth, keep),
    rollback: async (depth) => node.rollback(depth),
    // The sender can afford one of them.
    rivals: async (one, other) => {
      const sender = newTronKey();
      const sign = ({ key, amount }: typeof one) =>
        node.sign(transferContract(sender, key, amount), {}, sender.toString('hex'));
      return [sign(one), sign(other)];
    },
    signed: async (txHash) => txHash,
    submit: async (txHash) => {
      node.handIn(txHash);
      return txHash;
    },
    paid: async (keys) => keys.map((key) => node.balance(address(key), node.height).balance),
    tip: async () => node.tip,
  };
}

function readKey(shown: string): Buffer {
  const key = readTronAddress(shown);
  if (typeof key === 'string') throw new Error(`${shown} is no address`);
  return key;
}

/** With the project's own spelling of addresses, of keys that are derived here. */
function accountKeys(): Map<string, Buffer> {
  const branch = ACCOUNT.deriveChild(0);
  return new Map(
    Array.from({ length: ADDRESSES }, (_, i) => {
      const { publicKey } = branch.deriveChild(i);
      if (!publicKey) throw new Error('no key');
      const evm = publicKeyToAddress(`0x${secp256k1.Point.fromBytes(publicKey).toHex(false)}`);
      const key = Buffer.from(evm.slice(2), 'hex');
      return [toTronAddress(key), key] as const;
    }),
  );
}
