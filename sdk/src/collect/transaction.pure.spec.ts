import { hexToBytes, type TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Signed, signTransfer, type Transfer, transferCall } from './transaction.pure.js';

const KEY = `0x${'4c'.repeat(32)}` as const;
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** By another library. */
async function signedElsewhere({
  chainId,
  nonce,
  gasLimit,
  cap,
  to,
  value,
  data,
}: Transfer): Promise<string> {
  const common = {
    chainId: Number(chainId),
    nonce: Number(nonce),
    gas: gasLimit,
    to: to as `0x${string}`,
    value,
    data: `0x${Buffer.from(data).toString('hex')}` as const,
  };
  const transaction: TransactionSerializable =
    cap.tip === null
      ? { ...common, type: 'legacy', gasPrice: cap.price }
      : { ...common, type: 'eip1559', maxFeePerGas: cap.price, maxPriorityFeePerGas: cap.tip };
  return privateKeyToAccount(KEY).signTransaction(transaction);
}

const COIN: Transfer = {
  chainId: 137n,
  nonce: 0n,
  gasLimit: 21_000n,
  cap: { price: 30n, tip: 2n },
  to: TO,
  value: 10n ** 18n,
  data: new Uint8Array(),
};
const TOKEN: Transfer = {
  ...COIN,
  nonce: 127n,
  value: 0n,
  data: transferCall(TO, 2n ** 255n),
  gasLimit: 80_000n,
};

it.each<[string, Transfer]>([
  ['coin', COIN],
  ['a token', TOKEN],
  ['coin at a price', { ...COIN, cap: { price: 5n, tip: null } }],
  ['a token at a price', { ...TOKEN, cap: { price: 5n, tip: null }, nonce: 128n }],
  ['without a tip', { ...COIN, cap: { price: 5n, tip: 0n } }],
  ['on a chain with a large id', { ...COIN, chainId: 11_155_111n, cap: { price: 5n, tip: null } }],
])('signs %s as others do', async (_what, transfer) => {
  const signed: Signed = signTransfer(transfer, hexToBytes(KEY));
  expect(signed.raw).toBe(await signedElsewhere(transfer));
  expect(signed.hash).toMatch(/^0x[0-9a-f]{64}$/);
});

it('signs a hundred alike, whatever the length of the signature’s numbers', async () => {
  for (let nonce = 0n; nonce < 100n; nonce++)
    expect(signTransfer({ ...COIN, nonce }, hexToBytes(KEY)).raw).toBe(
      await signedElsewhere({ ...COIN, nonce }),
    );
});
