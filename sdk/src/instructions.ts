import type { DepositAddress, PaymentInstructions } from './api-types.js';
import { InstructionsError } from './errors.js';
import { type PinnedKey, verifyJws } from './jws.js';

export interface VerifyInstructionsOptions {
  /** The gateway's public keys that you have pinned; one is enough, two while the key is being changed. */
  keys: readonly PinnedKey[];
  /** The payment that you asked about: signed instructions of another payment are refused. */
  paymentId: string;
  /** Accept instructions whose rate lock has ended, e.g. those of a payment that funds were seen for. */
  allowExpired?: boolean;
  /** Default: the system clock. */
  now?: Date;
}

/** What the gateway has signed. Show these values, and no others, to the customer. */
export interface SignedInstructions {
  paymentId: string;
  /** The slug of the blockchain. */
  chain: string;
  /** EIP-155; null where there is none. */
  chainId: number | null;
  /** The code of the coin or token. */
  asset: string;
  /** The contract of the token; null for the native coin. */
  contract: string | null;
  decimals: number;
  address: string;
  memo: string | null;
  /** In the smallest unit of the asset. */
  amount: bigint;
  expiresAt: Date;
}

/**
 * Verifies that the gateway has signed these instructions for this payment, that they have not expired, and that every
 * field that leads money somewhere says what was signed. Works offline.
 * @throws InstructionsError with the reason
 * @throws TypeError if it is called without keys or payment id
 */
export async function verifyInstructions(
  instructions: PaymentInstructions,
  { keys, paymentId, allowExpired = false, now = new Date() }: VerifyInstructionsOptions,
): Promise<SignedInstructions> {
  if (typeof paymentId !== 'string' || paymentId === '')
    throw new TypeError('paymentId: the id of the payment');
  const signed = readStatement(await verifyJws(instructions.signatures, 'payment-instructions+jws', keys));
  if (signed.paymentId !== paymentId)
    throw new InstructionsError('other_payment', `the instructions are of payment ${signed.paymentId}`);
  demandSame(instructions, signed);
  if (!allowExpired && signed.expiresAt <= now)
    throw new InstructionsError(
      'expired',
      `the instructions expired at ${instructions.expiresAt}: request them again`,
    );
  return signed;
}

/**
 * Verifies that the gateway has signed that an address belongs to this payment.
 * @throws InstructionsError with the reason
 */
export async function verifyDepositAddress(
  shown: DepositAddress,
  { keys, paymentId }: Pick<VerifyInstructionsOptions, 'keys' | 'paymentId'>,
): Promise<void> {
  if (typeof paymentId !== 'string' || paymentId === '')
    throw new TypeError('paymentId: the id of the payment');
  const signed = await verifyJws(shown.signatures, 'deposit-address+jws', keys);
  if (signed['v'] !== 1) throw new InstructionsError('malformed', 'the version of the statement is unknown');
  if (signed['paymentId'] !== paymentId)
    throw new InstructionsError('other_payment', 'the address is of another payment');
  for (const field of ['paymentId', 'family', 'address'] as const)
    if (shown[field] !== signed[field]) throw new InstructionsError('altered', `${field} was changed`);
}

function readStatement(statement: Record<string, unknown>): SignedInstructions {
  const { v, paymentId, chain, chainId, asset, contract, decimals, address, memo, amount, expiresAt } =
    statement;
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value);
  const isValid =
    v === 1 &&
    [paymentId, chain, asset, address].every(isText) &&
    [contract, memo].every(isTextOrNull) &&
    (chainId === null || isCount(chainId)) &&
    isCount(decimals) &&
    isText(amount) &&
    /^[1-9]\d{0,77}$/.test(amount) &&
    isText(expiresAt) &&
    !Number.isNaN(Date.parse(expiresAt));
  if (!isValid) throw new InstructionsError('malformed', 'the signed statement is of an unknown version');
  const texts = { paymentId, chain, asset, address, contract, memo } as Pick<
    SignedInstructions,
    'paymentId' | 'chain' | 'asset' | 'address' | 'contract' | 'memo'
  >;
  return { ...texts, chainId, decimals, amount: BigInt(amount), expiresAt: new Date(expiresAt) };
}

/** Amounts that are still to send are not signed, because they change with each transfer: they must not exceed the whole. */
function demandSame(shown: PaymentInstructions, signed: SignedInstructions): void {
  const { chain, asset, contract, address, amount, decimals } = signed;
  const same: Record<string, boolean> = {
    paymentId: shown.paymentId === signed.paymentId,
    provider: shown.provider === chain,
    method: shown.method === asset.toLowerCase(),
    'blockchain.slug': shown.blockchain.slug === chain,
    'blockchain.chainId': shown.blockchain.chainId === signed.chainId,
    token: (shown.token?.contractAddress ?? null) === contract,
    address: shown.address === address,
    memo: (shown.memo ?? null) === signed.memo,
    'amount.currency': shown.amount.currency.code === asset,
    'amount.decimals': shown.amount.decimals === decimals,
    'amount.atomic': shown.amount.atomic === amount.toString(),
    'amount.formatted': unitsOf(shown.amount.formatted, asset, decimals) === amount,
    'remainingAmount.atomic': isAtMost(shown.remainingAmount.atomic, amount),
    expiresAt: Date.parse(shown.expiresAt) === signed.expiresAt.getTime(),
    paymentUri: shown.paymentUri === null || paysTo(shown.paymentUri, signed),
    'qrCode.content': [address, shown.paymentUri].includes(shown.qrCode.content),
  };
  const changed = Object.keys(same).filter((field) => !same[field]);
  if (changed.length > 0)
    throw new InstructionsError('altered', `${changed.join(', ')}: not what was signed`);
}

function isAtMost(atomic: string, amount: bigint): boolean {
  return /^\d{1,78}$/.test(atomic) && BigInt(atomic) <= amount;
}

/** "0.00155470 BTC" in the smallest unit; null if it is anything else. */
function unitsOf(formatted: string, asset: string, decimals: number): bigint | null {
  const [number = '', code, ...more] = formatted.split(' ');
  const [, whole = '', fraction = ''] = /^(\d{1,78})(?:\.(\d+))?$/.exec(number) ?? [];
  if (whole === '' || code !== asset || more.length > 0 || fraction.length > decimals) return null;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Whether a payment URI (BIP 21, EIP-681) sends the asset to the address, and no more than the amount. */
function paysTo(uri: string, { chainId, contract, address, amount, decimals, asset }: SignedInstructions) {
  const [target = '', query = '', ...more] = uri.split('?');
  if (more.length > 0) return false;
  const [, number = ''] = /^amount=([\d.]+)$/.exec(query) ?? [];
  // The scheme of BIP 21 is part of a Bitcoin Cash address already.
  if (number !== '') {
    const units = unitsOf(`${number} ${asset}`, asset, decimals);
    const scheme = target.slice(0, -address.length);
    return target.endsWith(address) && /^(?:[a-z]+:)?$/.test(scheme) && units !== null && units <= amount;
  }
  const [form, units = ''] =
    contract === null
      ? [`ethereum:${address}@${chainId}`, /^value=(\d+)$/.exec(query)?.[1]]
      : [
          `ethereum:${contract}@${chainId}/transfer`,
          new RegExp(`^address=${address}&uint256=(\\d+)$`).exec(query)?.[1],
        ];
  return target === form && isAtMost(units, amount);
}
