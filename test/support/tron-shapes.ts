import { createHash } from 'node:crypto';

/*
 * Responses of a Tron node's HTTP interface, in the published shapes. No node of Tron runs here.
 * Sources: the pages below api/http of https://github.com/tronprotocol/documentation-en (getblock, getblockbynum,
 * gettransactionbyid, gettransactioninfobyid, gettransactioninfobyblocknum, gettransactionfrompending, getnodeinfo,
 * account/getaccount),
 * core/Tron.proto and core/contract/*.proto of github.com/tronprotocol/java-tron for the fields, and its
 * JsonFormat.java for how they are written: bytes in hexadecimal, 64-bit integers as numbers, and a field left out
 * where its value is zero, empty or false. Its TransactionUtil.java lists internal transactions.
 */

export type Json = Record<string, unknown>;

/** What a transaction asks for: a message of core/contract/*.proto and its name. */
export interface Contract {
  type: string;
  value: Json;
}

/** What comes of it once a block holds it. */
export interface Outcome {
  /** Transaction.Result.contractResult: "SUCCESS", "REVERT", "OUT_OF_ENERGY", … */
  contractRet: string;
  /** Only calls of smart contracts have them. */
  logs?: Json[];
  internal?: Json[];
}

export interface Transaction extends Outcome {
  txHash: string;
  contract: Contract;
  /** Of all transactions with the same name here, the chain has room for one. */
  funds?: string;
}

export interface Block {
  height: number;
  id: string;
  parentId: string;
  /** Milliseconds. */
  time: number;
  transactions: Transaction[];
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The 21 bytes of an address in hexadecimal, as the interface writes it when `visible` is false. */
export const address = (key: Buffer) => `41${key.toString('hex')}`;
export const ascii = (text: string) => Buffer.from(text, 'ascii').toString('hex');

/** Message TransferContract (balance_contract.proto). @param amount sun */
export function transferContract(from: Buffer, to: Buffer, amount: bigint): Contract {
  return {
    type: 'TransferContract',
    value: { amount, owner_address: address(from), to_address: address(to) },
  };
}

/** Message TransferAssetContract (asset_issue_contract.proto): a TRC-10 token, in units that anybody may print. */
export function assetContract(from: Buffer, to: Buffer, amount: bigint, tokenId = '1004777'): Contract {
  return {
    type: 'TransferAssetContract',
    value: { amount, asset_name: ascii(tokenId), owner_address: address(from), to_address: address(to) },
  };
}

/** Message TriggerSmartContract (smart_contract.proto). */
export function triggerContract(from: Buffer, contract: Buffer, more: Json = {}): Contract {
  const value = {
    data: 'a9059cbb',
    owner_address: address(from),
    contract_address: address(contract),
    ...more,
  };
  return { type: 'TriggerSmartContract', value };
}

/** Message InternalTransaction. @param values of callValueInfo: TRX first, TRC-10 tokens behind it */
export function internalTransaction(
  from: Buffer,
  to: Buffer,
  values: Json[],
  note = 'call',
  rejected = false,
): Json {
  return {
    hash: sha256(`${from.toString('hex')}${to.toString('hex')}${note}`),
    caller_address: address(from),
    transferTo_address: address(to),
    callValueInfo: values,
    note: ascii(note),
    ...(rejected && { rejected }),
  };
}

/** Message Block. @param detail with its transactions */
export function blockJson({ height, id, parentId, time, transactions }: Block, detail: boolean): Json {
  const raw = {
    ...(height > 0 && { number: height }),
    // Over no transaction it is zero (java-tron, BlockCapsule.calcMerkleRoot).
    txTrieRoot:
      transactions.length === 0 ? '0'.repeat(64) : sha256(transactions.map(({ txHash }) => txHash).join()),
    witness_address: '41b2f713d57dbcec679d93a8849fa0cd0e4db594ba',
    parentHash: parentId,
    version: 34,
    ...(time > 0 && { timestamp: time }),
  };
  return {
    blockID: id,
    block_header: { raw_data: raw, witness_signature: '5b3cf6cb' },
    ...(detail && transactions.length > 0 && { transactions: transactions.map(minedJson) }),
  };
}

/** Message Transaction, before a block holds it. */
export function transactionJson({ txHash, contract: { type, value } }: Transaction): Json {
  const parameter = { value, type_url: `type.googleapis.com/protocol.${type}` };
  return {
    signature: ['7fb0c98a'],
    txID: txHash,
    raw_data: {
      contract: [{ parameter, type }],
      ref_block_bytes: '262b',
      ref_block_hash: '7af5b98a33d60d86',
      expiration: 1_777_445_400_000,
      timestamp: 1_777_445_307_000,
    },
    raw_data_hex: '0a02262b',
  };
}

export function minedJson(transaction: Transaction): Json {
  return { ret: [{ contractRet: transaction.contractRet }], ...transactionJson(transaction) };
}

/** Message TransactionInfo. */
export function infoJson({ txHash, contract, contractRet, logs, internal }: Transaction, block: Block): Json {
  const isCall = contract.type === 'TriggerSmartContract';
  const failed = contractRet !== 'SUCCESS';
  return {
    id: txHash,
    fee: 267_000,
    blockNumber: block.height,
    blockTimeStamp: block.time,
    contractResult: [''],
    ...(isCall && { contract_address: contract.value['contract_address'] }),
    receipt: isCall
      ? { energy_usage_total: 44_585, net_fee: 267_000, result: contractRet }
      : { net_fee: 267_000 },
    ...(failed && { result: 'FAILED', resMessage: ascii('REVERT opcode executed') }),
    // What failed takes its logs back, and every internal transaction is marked (VMActuator.execute).
    ...(logs && !failed && { log: logs }),
    ...(internal && {
      internal_transactions: failed ? internal.map((one) => ({ ...one, rejected: true })) : internal,
    }),
  };
}

/** A block with its transactions changed. */
export function withTransactions(block: Json, change: (transaction: Json) => Json): Json {
  const transactions = block['transactions'] as Json[] | undefined;
  return {
    ...block,
    ...(transactions && { transactions: transactions.map((one) => ({ ...one, ...change(one) })) }),
  };
}
