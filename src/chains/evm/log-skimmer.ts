import type { KeyBytes, TransferCandidate } from '../chain-adapter.js';
import type { UnparsedList } from '../unparsed-list.js';
import type { LogLocator } from './evm-transfer-logs.js';
import { type EvmLog, toLog } from './evm-wire.js';

/** Characters of a word of 32 bytes in hex, and of an address. */
const WORD = 66;
const ADDRESS = 42;
/** From one word of a list to the next: two quotes and a comma. */
const STEP = WORD + 3;
/** What a word that holds an address begins with: 12 zero bytes. */
const PADDING = `0x${'0'.repeat(24)}`;
const NOTHING = `0x${'0'.repeat(64)}`;

/** Where a field stands. A node writes all logs alike, so the place that it had in the last one is tried first. */
class Field {
  private offset = 0;
  private last = '';

  constructor(private readonly label: string) {}

  /** Where its value begins in the object from `start` to `end`; -1: it has no such field. */
  find(text: string, start: number, end: number): number {
    if (!text.startsWith(this.label, start + this.offset)) {
      const found = text.indexOf(this.label, start);
      if (found === -1) return -1;
      this.offset = found - start;
    }
    const at = start + this.offset + this.label.length;
    return at < end ? at : -1;
  }

  /** Its value there. Most logs share it with the one before, and then it is the very same string. */
  read(text: string, at: number, length: number): string {
    if (this.last === '' || !text.startsWith(this.last, at)) this.last = text.slice(at, at + length);
    return this.last;
  }
}

/**
 * Reads the Transfer logs of one answer without parsing them: whom each one pays, and what shows that it was asked
 * for. A log that is written in any other way than usual it does not read; that is to be parsed.
 */
export class LogSkimmer {
  private readonly text: string;
  private readonly fields = {
    address: new Field('"address":"'),
    topics: new Field('"topics":["'),
    data: new Field('"data":"'),
    blockHash: new Field('"blockHash":"'),
    transactionHash: new Field('"transactionHash":"'),
    removed: new Field('"removed":'),
  };

  constructor(private readonly list: UnparsedList) {
    this.text = list.text;
  }

  /**
   * One log of the list, from `start` to `end`: with three topics, two of them addresses, and one word of data.
   * Hashes and addresses are as the node wrote them, unchecked. Null: not read.
   */
  read(start: number, end: number) {
    const { text, fields } = this;
    const removed = fields.removed.find(text, start, end);
    const data = fields.data.find(text, start, end);
    const topics = fields.topics.find(text, start, end);
    const address = fields.address.find(text, start, end);
    const blockHash = fields.blockHash.find(text, start, end);
    const txHash = fields.transactionHash.find(text, start, end);
    if (Math.min(removed, data, topics, address, blockHash, txHash) === -1) return null;
    const isUsual =
      text.startsWith('false', removed) &&
      text.startsWith('","', topics + WORD) &&
      text.startsWith(PADDING, topics + STEP) &&
      text.startsWith('","', topics + STEP + WORD) &&
      text.startsWith(PADDING, topics + 2 * STEP) &&
      text.startsWith('"]', topics + 2 * STEP + WORD) &&
      text.startsWith('0x', data) &&
      text.startsWith('"', data + WORD);
    if (!isUsual) return null;
    const [sender, recipient] = [topics + STEP, topics + 2 * STEP];
    const isToOneself = text.startsWith(text.slice(sender, sender + WORD), recipient);
    return {
      asset: fields.address.read(text, address, ADDRESS),
      topic: fields.topics.read(text, topics, WORD),
      blockHash: fields.blockHash.read(text, blockHash, WORD),
      txHash: fields.transactionHash.read(text, txHash, WORD),
      movesNothing: isToOneself || text.startsWith(NOTHING, data),
      recipient: recipient + PADDING.length,
    };
  }

  /** @param recipient where the digits of the address begin that is paid */
  candidate(asset: string, txHash: string, recipient: number, start: number, end: number): TransferCandidate {
    return new UnparsedLog(asset, txHash, this.list, recipient, start, end);
  }
}

/** A credit that is decoded when somebody asks for it, because next to none of them pay us. */
class UnparsedLog implements TransferCandidate, KeyBytes {
  readonly length = 20;

  constructor(
    readonly asset: string,
    readonly txHash: string,
    private readonly list: UnparsedList,
    private readonly recipient: number,
    private readonly start: number,
    private readonly end: number,
  ) {}

  get keyBytes(): KeyBytes {
    return this;
  }

  get key(): Buffer {
    return Buffer.from(this.list.text.slice(this.recipient, this.recipient + 2 * this.length), 'hex');
  }

  get amount(): bigint {
    return BigInt(this.log.data);
  }

  get locator(): LogLocator {
    return { kind: 'log', log: this.log };
  }

  /** As a Buffer of the key would answer. */
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
