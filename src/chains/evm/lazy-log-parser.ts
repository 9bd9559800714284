import type { KeyBytes, TransferCandidate } from '../chain-adapter.pure.js';
import type { LazyJsonArray } from '../lazy-json-array.js';
import { type LogLocator, TRANSFER_TOPIC } from './evm-transfer-logs.pure.js';
import { type EvmLog, toLog } from './evm-wire.pure.js';

/** Characters of a hash and of an address. */
const HASH = 66;
const ADDRESS = 42;
/** Digits of an address, and of a word of 32 bytes. */
const DIGITS = 40;
const WORD = 64;
/** The 12 zero bytes before the address in a word of 32 bytes. */
const PADDING = `0x${'0'.repeat(24)}`;
const NEXT_ADDRESS = `","${PADDING}`;
const NOTHING = '0'.repeat(WORD);

/** Finds a field. A node formats all logs alike, so the offset in the previous log is tried first. */
class Field {
  private offset = 0;
  private last = '';

  constructor(private readonly label: string) {}

  /** Start of the value in the object from `start` to `end`; -1: it has no such field. */
  find(text: string, start: number, end: number): number {
    if (!holds(text, this.label, start + this.offset)) {
      // Only in this object: a text is not searched to its end once for each log that has no such field.
      const found = text.slice(start, end).indexOf(this.label);
      if (found === -1) return -1;
      this.offset = found;
    }
    const at = start + this.offset + this.label.length;
    return at < end ? at : -1;
  }

  /** The value at a position. Equal to that of the previous log in most cases, and then the same string object. */
  read(text: string, at: number, length: number): string {
    const found = text.slice(at, at + length);
    if (found !== this.last) this.last = found;
    return this.last;
  }
}

/** `startsWith` compares by character; a slice, which does not copy, and one comparison take half the time. */
function holds(text: string, part: string, at: number): boolean {
  return text.slice(at, at + part.length) === part;
}

/**
 * Reads the Transfer logs of one response without parsing them: the recipient of each, and the fields that prove that
 * it was requested. Logs in an unusual format are left to the parser.
 */
export class LazyLogParser {
  private readonly text: string;
  private readonly fields = {
    address: new Field('"address":"'),
    sender: new Field(`"topics":["${TRANSFER_TOPIC}${NEXT_ADDRESS}`),
    data: new Field('"data":"0x'),
    blockHash: new Field('"blockHash":"'),
    transactionHash: new Field('"transactionHash":"'),
    present: new Field('"removed":false'),
    logIndex: new Field('"logIndex":"0x'),
  };

  constructor(private readonly list: LazyJsonArray) {
    this.text = list.text;
  }

  /** The contract of a log. Null: not read. */
  contract(start: number, end: number): string | null {
    const at = this.fields.address.find(this.text, start, end);
    return at === -1 ? null : this.fields.address.read(this.text, at, ADDRESS);
  }

  /** Whether a log has this place among all logs of its block. */
  isAt(place: number, start: number, end: number): boolean {
    const at = this.fields.logIndex.find(this.text, start, end);
    return at !== -1 && holds(this.text, `${place.toString(16)}"`, at);
  }

  /**
   * One log of the list, from `start` to `end`: a Transfer with three topics, two of them addresses, and one word of
   * data. Hashes and addresses are as the node wrote them, unchecked. Null: not read.
   */
  read(start: number, end: number) {
    const { text, fields } = this;
    const address = fields.address.find(text, start, end);
    const sender = fields.sender.find(text, start, end);
    const data = fields.data.find(text, start, end);
    const blockHash = fields.blockHash.find(text, start, end);
    const txHash = fields.transactionHash.find(text, start, end);
    const present = fields.present.find(text, start, end);
    if (Math.min(address, sender, data, blockHash, txHash, present) === -1) return null;
    const recipient = sender + DIGITS + NEXT_ADDRESS.length;
    const isUsual =
      holds(text, NEXT_ADDRESS, sender + DIGITS) &&
      holds(text, '"]', recipient + DIGITS) &&
      holds(text, '"', data + WORD);
    if (!isUsual) return null;
    const isToOneself = holds(text, text.slice(sender, sender + DIGITS), recipient);
    return {
      asset: fields.address.read(text, address, ADDRESS),
      blockHash: fields.blockHash.read(text, blockHash, HASH),
      txHash: fields.transactionHash.read(text, txHash, HASH),
      movesNothing: isToOneself || holds(text, NOTHING, data),
      recipient,
    };
  }

  /** @param recipient where the digits of the address begin that is paid */
  candidate(asset: string, txHash: string, recipient: number, start: number, end: number): TransferCandidate {
    return new UnparsedLog(asset, txHash, this.list, recipient, start, end);
  }
}

/** A credit that is decoded only on access, because hardly any of them pay us. */
class UnparsedLog implements TransferCandidate, KeyBytes {
  readonly length = 20;

  constructor(
    readonly asset: string,
    readonly txHash: string,
    private readonly list: LazyJsonArray,
    private readonly recipient: number,
    private readonly start: number,
    private readonly end: number,
  ) {}

  get keyBytes(): KeyBytes {
    return this;
  }

  get key(): Buffer {
    return Buffer.from(this.list.text.slice(this.recipient, this.recipient + DIGITS), 'hex');
  }

  get amount(): bigint {
    return BigInt(this.log.data);
  }

  get locator(): LogLocator {
    return { kind: 'log', log: this.log };
  }

  /** As `readInt32LE` of a Buffer with the key. */
  readInt32LE(offset: number): number {
    const at = this.recipient + 2 * offset;
    const swapped = Number.parseInt(this.list.text.slice(at, at + 8), 16);
    return (
      (swapped >>> 24) | ((swapped >>> 8) & 0xff00) | ((swapped << 8) & 0xff_0000) | ((swapped & 0xff) << 24)
    );
  }

  private get log(): EvmLog {
    return toLog(this.list.parse(this.start, this.end));
  }
}
