import {
  AtomicText,
  Choice,
  Constant,
  Count,
  Nested,
  NestedList,
  Text,
} from '../../platform/web/contract/fields.js';
import { Contract } from '../../platform/web/contract/contract.js';
import { KEY_OWNERS, type KeyOwner } from '../../wallets/key-owner.pure.js';

/** The form of the plan, which the program that signs asks for (sdk/src/collect/plan.pure.ts). */
export const SIGNING_PLAN = 'signing-plan-1';

const ADDRESS = { pattern: '^0x[0-9a-fA-F]{40}$', example: '0x52908400098527886E0F7030069857D2E4169EE7' };
const MOST_GAS = 100_000_000;

@Contract('SigningToken', 'A token on an address of a key.')
export class SigningTokenContract {
  @Text({ ...ADDRESS, about: 'Its contract.' })
  contract: string;

  @Text({ about: 'E.g. `USDC`.', example: 'USDC' })
  currencyCode: string;

  @Count({ max: 255, about: 'Digits after the decimal point.', example: 6 })
  decimals: number;

  @AtomicText({ about: 'What is there and is sent, in its smallest unit.', example: '100000000' })
  amount: string;

  @Count({
    min: 21_000,
    max: MOST_GAS,
    about:
      'The limit of gas: a fifth more than the node estimates for a transfer to an address without this token.',
    example: 78_000,
  })
  gasLimit: number;
}

@Contract('SigningAddress', 'An address of a key, with what is there.')
export class SigningAddressContract {
  @Text({ ...ADDRESS, about: 'The address.' })
  address: string;

  @Count({ about: 'Its index.', example: 17 })
  index: number;

  @Text({ about: 'Its path below the key of the account.', example: '0/17' })
  path: string;

  @Count({ about: 'How many transactions it has sent: the number of its next one.', example: 0 })
  nonce: number;

  @AtomicText({ min: 0n, about: 'Of the native coin, in its smallest unit.', example: '0' })
  balance: string;

  @NestedList(() => SigningTokenContract, { about: 'The tokens to send. Those left out are in `leftOut`.' })
  tokens: SigningTokenContract[];

  @AtomicText({
    min: 0n,
    about: 'The most that its own transactions cost, in the coin.',
    example: '780000000000000',
  })
  fees: string;

  @AtomicText({ min: 0n, about: 'What of the coin it lacks for that.', example: '780000000000000' })
  lacking: string;
}

@Contract('SigningFees', 'What gas costs now, in the smallest unit of the coin.')
export class SigningFeesContract {
  @AtomicText({ min: 0n, about: 'The price of a unit of gas.', example: '1000000000' })
  gasPrice: string;

  @AtomicText({
    min: 0n,
    nullable: true,
    about: 'The base fee of the newest block (EIP-1559). Null: the chain has only a price.',
    example: '900000000',
  })
  baseFee: string | null;

  @AtomicText({ min: 0n, nullable: true, about: 'What validators are given on top.', example: '100000000' })
  priorityFee: string | null;

  @AtomicText({
    min: 0n,
    about:
      'What a rollup takes for the data of one transaction, besides gas: twice what it says now. 0: nothing.',
    example: '0',
  })
  dataFee: string;
}

@Contract(
  'SigningFunding',
  'The account that pays the fees of addresses without coin: the first change address of the key.',
)
export class SigningFundingContract {
  @Text({ ...ADDRESS, about: 'No payment ever gets it. Send the coin that is missing there.' })
  address: string;

  @Constant('1/0', { about: 'Its path below the key of the account.' })
  path: '1/0';

  @Count({ about: 'How many transactions it has sent.', example: 0 })
  nonce: number;

  @AtomicText({ min: 0n, about: 'What it holds of the coin.', example: '0' })
  balance: string;

  @AtomicText({
    min: 0n,
    about: 'What it must hold: what the addresses lack, and the fees of sending it.',
    example: '801000000000000',
  })
  needed: string;
}

@Contract(
  'SigningPlan',
  'What the offline signer of the client package needs to send everything from addresses that have keys, of one account. Nothing of it is secret.',
)
export class SigningPlanContract {
  @Constant(SIGNING_PLAN, { about: 'The form of the plan.' })
  form: typeof SIGNING_PLAN;

  @Text({ about: 'The slug of the blockchain.', example: 'polygon' })
  blockchain: string;

  @Count({ min: 1, about: 'Transactions are valid on this chain only (EIP-155).', example: 137 })
  chainId: number;

  @Text({
    about: 'The code of the native coin, which has 18 digits after the decimal point.',
    example: 'POL',
  })
  currencyCode: string;

  @Text({ about: 'The fingerprint of the account key (BIP32).', example: '3442193e' })
  keyFingerprint: string;

  @Text({
    about: 'The path of that key; the usual one where its origin is not known.',
    example: "m/44'/60'/0'",
  })
  accountPath: string;

  @Choice(KEY_OWNERS, {
    about: 'Whose key it is. A plan of a key of the operator is for the operator to sign.',
    example: 'application',
  })
  keyOwner: KeyOwner;

  @Nested(() => SigningFeesContract)
  fees: SigningFeesContract;

  @Count({
    min: 21_000,
    max: MOST_GAS,
    about: 'The limit of gas of a transfer of the coin.',
    example: 21_000,
  })
  transferGas: number;

  @Nested(() => SigningFundingContract)
  funding: SigningFundingContract;

  @NestedList(() => SigningAddressContract, { about: 'At most 300.' })
  addresses: SigningAddressContract[];
}
