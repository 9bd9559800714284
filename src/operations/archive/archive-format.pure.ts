import { sha256 } from '../../platform/kernel/hmac.pure.js';
import {
  openStatement,
  type PublicSigningKey,
  type SigningKey,
  signStatement,
} from '../../platform/kernel/signing-key.pure.js';

/** Of files that this program writes and reads (specification/operations.md#archive-of-payments). */
export const FORMAT = 'payment-archive-1';
/** The `typ` of the manifest's signature (RFC 8725, section 3.11). */
const TYPE = 'payment-archive+jws';

/** What the last line of an archive says of those before it. */
export interface Manifest {
  format: string;
  /** Hexadecimal; that of the last payment. */
  head: string;
  payments: number;
  /** Ids; null when there are no payments. */
  first: string | null;
  last: string | null;
  /** Payments that were as old, and left out because something of them was open. */
  open: number;
  /** They were created before this time. */
  before: string;
  archivedAt: string;
  /** Of the gateway. */
  version: string;
  commit: string;
  /** Which database it was: server, timeline and table, as far as the role may know. */
  lineage: string;
}

/** What comes before the first payment. */
export const START: Buffer = sha256(FORMAT);

/**
 * SHA-256 of the digest of the payment before and of the records as they stand in the line, so that it covers all
 * payments before, too.
 */
export function nextDigest(previous: Buffer, records: string | Buffer): Buffer {
  return sha256(Buffer.concat([previous, Buffer.from(records)]));
}

/** @param number from 1 @param records a JSON object, in one line */
export function paymentLine(number: number, digest: Buffer, records: string): string {
  return `${prefixOf(number, digest)}${records}}`;
}

function prefixOf(number: number, digest: Buffer): string {
  return `{"line":${number},"digest":"${digest.toString('hex')}","records":`;
}

/** The manifest in clear, with a signature that has it inside, for any JOSE library. */
export function manifestLine(key: SigningKey, manifest: Manifest): string {
  const statement = JSON.stringify(manifest);
  return joinManifest(statement, signStatement(key, TYPE, statement));
}

function joinManifest(statement: string, signature: string): string {
  return `{"manifest":${statement},"signature":"${signature}"}`;
}

const PAYMENT = /^\{"line":([1-9]\d{0,14}),"digest":"([0-9a-f]{64})","records":/;
const SIGNATURE = /^\{"manifest":.*,"signature":"([\w.-]+)"\}$/s;

/** The first line that does not hold, counted from 1. */
export interface Flaw {
  line: number;
  problem: string;
}

/** A manifest that holds, and the key that signed it. */
export interface Verified {
  manifest: Manifest;
  key: PublicSigningKey;
}

/** Reads the lines of an archive in their order, and remembers no more than the last digest. */
export class ArchiveVerifier {
  private digest = START;
  private payments = 0;
  private lines = 0;
  private verified: Verified | null = null;

  /** @param keys one of which must have signed the manifest */
  constructor(private readonly keys: readonly PublicSigningKey[]) {}

  /** @param line without the line feed at its end; returns what is wrong with it, or null */
  next(line: Buffer): Flaw | null {
    this.lines += 1;
    const problem = this.findProblem(line);
    return problem === null ? null : { line: this.lines, problem };
  }

  /** After the last line. @param rest what follows the last line feed */
  end(rest: Buffer): Flaw | Verified {
    if (rest.length > 0)
      return { line: this.lines + 1, problem: 'is cut off: it has no line feed at its end' };
    return (
      this.verified ?? { line: this.lines + 1, problem: 'is missing: the file ends without its manifest' }
    );
  }

  private findProblem(line: Buffer): string | null {
    if (this.verified) return 'follows the manifest, which is the last line';
    // Longer than any prefix of a payment.
    const [prefix = '', number, digest] = PAYMENT.exec(line.subarray(0, 200).toString('latin1')) ?? [];
    if (prefix === '') return this.findManifestProblem(line.toString('utf8'));
    if (Number(number) !== this.lines)
      return `has the number ${number}: a line was removed, added or moved here`;
    const records = line.subarray(prefix.length, -1);
    const expected = nextDigest(this.digest, records);
    if (expected.toString('hex') !== digest || !line.subarray(-1).equals(Buffer.from('}')))
      return 'was changed: its digest is not that of its records and the lines before';
    this.digest = expected;
    this.payments += 1;
    return null;
  }

  private findManifestProblem(line: string): string | null {
    const [, signature] = SIGNATURE.exec(line) ?? [];
    if (signature === undefined) return 'is neither a payment nor a manifest of an archive';
    for (const key of this.keys) {
      const statement = openStatement(key, TYPE, signature);
      if (statement === null) continue;
      if (line !== joinManifest(statement, signature))
        return 'shows another manifest than the one that was signed';
      const manifest = JSON.parse(statement) as Manifest;
      const problem = this.findDifference(manifest);
      if (problem === null) this.verified = { manifest, key };
      return problem;
    }
    return 'is signed by none of the keys, or was changed';
  }

  private findDifference({ format, payments, head }: Manifest): string | null {
    if (format !== FORMAT) return `is of the format ${format}, and only ${FORMAT} is known`;
    if (payments !== this.payments)
      return `is the manifest of ${payments} payments, and ${this.payments} precede it`;
    return head === this.digest.toString('hex')
      ? null
      : 'is the manifest of other payments than those that precede it';
  }
}
