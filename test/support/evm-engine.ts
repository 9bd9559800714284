import { HDKey } from '@scure/bip32';
import { publicKeyToAddress } from 'viem/accounts';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { Hex } from './anvil.js';
import { RevertingInner } from './contracts/artifacts.js';
import { keyOf } from './evm-chain.js';
import { evmDriver } from './evm-driver.js';
import { breakingAfter, type RpcHarness } from './rpc-faults.js';
import { RpcProxy } from './rpc-proxy.js';
import { CONFIRMATIONS, EVM_XPUB, Shop } from './shop.js';
import { PATIENCE_MS, watchDeadlines } from './silence.js';

/** Addresses of the account that are looked through. */
const ADDRESSES = 500;

/** Each silence costs one of them, and no busy machine needs it for an answer. */
const POOL_TIMEOUT_MS = 10_000;

export const EVM_NOT_APPLICABLE = {
  'mempool sight': 'a node shows its own mempool only, so a payment is first seen in a block',
};

/** @param endpoints the gateway's ways to the one node; the first is the faulty one */
export async function openEvmHarness(endpoints = 1): Promise<RpcHarness> {
  const proxies: RpcProxy[] = [];
  // Beside an endpoint that falls silent the other one still answers within its own deadline.
  const forgetDeadlines = endpoints === 1 ? watchDeadlines() : () => undefined;
  const shop = await Shop.open(
    { CHAIN_RPC_TIMEOUT_MS: String(endpoints === 1 ? PATIENCE_MS : POOL_TIMEOUT_MS) },
    async (node) => {
      for (let i = 0; i < endpoints; i++) proxies.push(await RpcProxy.start(node));
      return proxies.map(({ url }) => url).join(',');
    },
  );
  const [faulty] = proxies;
  if (!faulty) throw new Error('no endpoint');
  const node = shop.chain;
  const trick = await node.deploy(RevertingInner);
  const addresses = accountAddresses();
  return {
    shop,
    slug: 'ethereum',
    method: 'eth',
    confirmations: CONFIRMATIONS,
    driver: await evmDriver(node),
    faulty,
    ask: (method, ...params) => node.rpc(method, params),
    keyOf: ({ address }) => {
      if (!addresses.has(address)) throw new Error(`${address} is not of the account`);
      return keyOf(address);
    },
    payFully: async (payment) => {
      const [ether, tether] = [await shop.instructions(payment), await shop.instructions(payment, 'usdt')];
      await shop.send(ether, BigInt(ether.amount.amount) / 2n);
      await shop.send(tether, BigInt(tether.amount.amount) / 2n);
    },
    // A call that is taken back inside of a transaction that succeeds, and a transaction that fails.
    payInVain: async (key, amount) => {
      const to: Hex = `0x${key.toString('hex')}`;
      await node.call(trick, 'pretendToPay', [to], { value: amount });
      await node.call(trick, 'payThenRevert', [to, amount]);
    },
    forget: async (txHash) => {
      const signed = await node.rpc<Hex>('eth_getRawTransactionByHash', [txHash]);
      await node.rpc('anvil_dropTransaction', [txHash]);
      return () => node.rpc('eth_sendRawTransaction', [signed]);
    },
    breakAfter: (calls) => faulty.setFaults(breakingAfter(calls)),
    faulted: () => faulty.faulted,
    clearFaults: () => {
      for (const proxy of proxies) proxy.setFaults({});
      // No endpoint rests any longer.
      shop.gateway.clock.advanceSeconds(61);
    },
    close: async () => {
      await shop.close();
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      forgetDeadlines();
    },
  };
}

/** With viem's own derivation of an address from a public key (EIP-55). */
function accountAddresses(): Set<string> {
  const branch = HDKey.fromExtendedKey(EVM_XPUB).deriveChild(0);
  return new Set(
    Array.from({ length: ADDRESSES }, (_, i) => {
      const { publicKey } = branch.deriveChild(i);
      if (!publicKey) throw new Error('no key');
      return publicKeyToAddress(`0x${secp256k1.Point.fromBytes(publicKey).toHex(false)}`);
    }),
  );
}
