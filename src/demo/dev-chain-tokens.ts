import { TestToken } from './contracts/test-token.js';
import { callRpc, callRpcText } from './json-rpc.js';

/** The ERC-20 contracts of the development chain, by currency code. */
export type DevTokens = Record<'USDT' | 'USDC', string>;

/** Both have 6 decimals, like the real tokens. */
export const DEV_TOKEN_DECIMALS = 6;

const WHOLE_TOKENS = 1_000_000n;
/**
 * The last unlocked account deploys, so that the first one keeps its round balance. Contract addresses are derived from
 * deployer and nonce, so every new development chain has the same ones.
 */
const DEPLOYER = '0xa0ee7a142d267c1f36714e4a8f75612f20a79720';
const TOKENS = [
  {
    code: 'USDT',
    name: 'Tether USD (test)',
    nonce: 0,
    address: '0x700b6a60ce7eaaea56f065753d8dcb9653dbad35',
  },
  { code: 'USDC', name: 'USD Coin (test)', nonce: 1, address: '0xa15bb66138824a1c7167f5e85b957d04dd34e468' },
] as const;

/** Deploys missing tokens, with 1,000,000 of each for the first unlocked account. */
export async function ensureDevTokens(rpcUrl: string): Promise<DevTokens> {
  for (const token of TOKENS) {
    if ((await callRpcText(rpcUrl, 'eth_getCode', [token.address, 'latest'])) === '0x')
      await deploy(rpcUrl, token);
  }
  return { USDT: TOKENS[0].address, USDC: TOKENS[1].address };
}

async function deploy(
  rpcUrl: string,
  { code, name, nonce, address }: (typeof TOKENS)[number],
): Promise<void> {
  const accounts = (await callRpc(rpcUrl, 'eth_accounts')) as string[];
  const supply = WHOLE_TOKENS * 10n ** BigInt(DEV_TOKEN_DECIMALS);
  const data =
    TestToken.bytecode + encodeConstructor(name, code, DEV_TOKEN_DECIMALS, accounts[0] ?? '', supply);
  const transaction = { from: DEPLOYER, data, nonce: `0x${nonce.toString(16)}`, gas: '0x2dc6c0' };
  const hash = await callRpcText(rpcUrl, 'eth_sendTransaction', [transaction]);
  await callRpc(rpcUrl, 'evm_mine');
  const receipt = (await callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash])) as Record<
    string,
    unknown
  > | null;
  if (receipt?.['status'] !== '0x1' || receipt['contractAddress'] !== address)
    throw new Error(`${code} could not be deployed on the development chain`);
}

/** Arguments of TestToken's constructor in the contract ABI: five heads; those of strings are offsets of their tails. */
export function encodeConstructor(
  name: string,
  symbol: string,
  decimals: number,
  holder: string,
  supply: bigint,
): string {
  const [nameTail, symbolTail] = [encodeString(name), encodeString(symbol)];
  const nameOffset = 5 * 32;
  const heads = [nameOffset, nameOffset + nameTail.length / 2, decimals, BigInt(holder), supply];
  return heads.map(word).join('') + nameTail + symbolTail;
}

/** The length, then the bytes padded with zeros to whole words. */
function encodeString(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const words = Math.ceil(bytes.length / 32);
  return word(bytes.length) + bytes.toString('hex').padEnd(words * 64, '0');
}

function word(value: number | bigint): string {
  return value.toString(16).padStart(64, '0');
}
