/*
 * What a wallet is asked for, and what its answers mean (EIP-1193). Each reason why nothing was sent is the name of a
 * sentence in src/checkout/page/browser-wallets.ts.
 */

export interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** What the server wrote into `#wallets`; amounts are hexadecimal and exact. */
export interface WantedTransaction {
  chain: string;
  to: string;
  amount: string;
  /** Of a token. */
  contract?: string;
}

/** EIP-1193: the user said no. */
const REJECTED = 4001;
/** EIP-1474: something like it is open already. */
const BUSY = -32_002;
/** EIP-3326: the wallet does not have the network. Adding it would take an RPC address, which must be the user's choice. */
const UNKNOWN_CHAIN = 4902;
/** Of `transfer(address,uint256)` and `balanceOf(address)` (ERC-20). */
const TRANSFER = '0xa9059cbb';
const BALANCE_OF = '0x70a08231';

/** A reason why a payment was not sent; the name of its sentence. */
export class Refusal extends Error {}

/**
 * Asks for the account, the network, what the account holds, and then for the transaction.
 * @param isWanted asked at the last moment: meanwhile the price may have ended, or the payment may have been seen
 * @returns the transaction's hash; empty: the wallet says none
 * @throws whatever the wallet throws, or a Refusal: {@link reasonOf}
 */
export async function sendBy(
  provider: Provider,
  wanted: WantedTransaction,
  isWanted: () => boolean,
): Promise<string> {
  const from = await connect(provider);
  await switchTo(provider, wanted.chain);
  const lack = await lackOf(provider, from, wanted);
  if (lack !== null) throw new Refusal(lack);
  if (!isWanted()) throw new Refusal('failed');
  const { chain, to, amount, contract } = wanted;
  const transaction =
    contract === undefined
      ? { from, to, value: amount }
      : { from, to: contract, value: '0x0', data: `${TRANSFER}${word(to)}${word(amount)}` };
  const params = [{ ...transaction, chainId: chain }];
  const hash = await provider.request({ method: 'eth_sendTransaction', params });
  return typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) ? hash : '';
}

export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  const code = codeOf(error);
  if (code === REJECTED) return 'rejected';
  if (code === BUSY) return 'busy';
  // Nodes have no code of their own for it (EIP-1474: -32000, invalid input).
  return /insufficient funds/i.test(String((error as Partial<Error> | null)?.message))
    ? 'no-funds'
    : 'failed';
}

async function connect(provider: Provider): Promise<string> {
  try {
    const [from] = (await provider.request({ method: 'eth_requestAccounts' })) as unknown[];
    if (typeof from === 'string') return from;
  } catch (error) {
    throw codeOf(error) === REJECTED ? new Refusal('unconnected') : error;
  }
  throw new Refusal('failed');
}

async function switchTo(provider: Provider, chain: string): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    BigInt(String(await provider.request({ method: 'eth_chainId' }))) === BigInt(chain);
  if (await isThere()) return;
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: chain }] });
  } catch (error) {
    const code = codeOf(error);
    if (code === BUSY) throw error;
    throw new Refusal(code === UNKNOWN_CHAIN ? 'unknown' : 'chain');
  }
  if (!(await isThere())) throw new Refusal('chain');
}

/** What the account lacks, by the wallet's own node; null: nothing, or the wallet does not say. */
async function lackOf(
  provider: Provider,
  from: string,
  { amount, contract }: WantedTransaction,
): Promise<'no-funds' | 'no-fee' | null> {
  const due = BigInt(amount);
  if (contract !== undefined) {
    const held = await read(provider, 'eth_call', { to: contract, data: `${BALANCE_OF}${word(from)}` });
    if (held !== null && held < due) return 'no-funds';
  }
  const coin = await read(provider, 'eth_getBalance', from);
  if (coin === null) return null;
  if (contract !== undefined) return coin === 0n ? 'no-fee' : null;
  if (coin < due) return 'no-funds';
  return coin === due ? 'no-fee' : null;
}

/** A number of the newest block; null: the wallet does not answer such a question. */
async function read(provider: Provider, method: string, of: unknown): Promise<bigint | null> {
  try {
    const answer = await provider.request({ method, params: [of, 'latest'] });
    return typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer) ? BigInt(answer) : null;
  } catch {
    return null;
  }
}

/** 32 bytes of call data. @param hex an address or a number */
function word(hex: string): string {
  return BigInt(hex).toString(16).padStart(64, '0');
}

function codeOf(error: unknown): number {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } };
  // Some wallets wrap the error of the network.
  return Number(data?.originalError?.code ?? code);
}
