import { COLLECTOR_FACTORY, DEPLOYMENT_PROXY } from './treasury-address.pure.js';
import { readTreasuryAddress, TREASURY_REFUSALS, type TreasuryRefusal } from './treasury-input.pure.js';

/** EIP-55's own examples. */
const MIXED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const UPPER = '0x52908400098527886E0F7030069857D2E4169EE7';
const LOWER = '0xde709f2102306220921060314715629080e2fb77';
const XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt';

describe('an address that everything goes to', () => {
  it.each([
    ['with its checksum', MIXED, MIXED],
    ['in upper case, which is its checksum', UPPER, UPPER],
    ['in lower case, which is its checksum', LOWER, LOWER],
    ['without a checksum', MIXED.toLowerCase(), MIXED],
    ['in upper case throughout', `0X${MIXED.slice(2).toUpperCase()}`, MIXED],
    ['with spaces around it and inside', ` ${MIXED.slice(0, 20)} ${MIXED.slice(20)}\n`, MIXED],
    ['in quotes', `"${MIXED}"`, MIXED],
    ['with marks of a mail program', `> ${MIXED}\u200b`, MIXED],
    ['as Safe copies it', `eth:${MIXED}`, MIXED],
    ['as Safe copies it on another chain', `arb1:${MIXED}`, MIXED],
    ['as a wallet shows it in its QR code', `ethereum:${MIXED}@1`, MIXED],
    ['as a link to pay it', `ethereum:pay-${MIXED}`, MIXED],
  ])('is read %s', (_how, text, address) => {
    const key = Buffer.from(address.slice(2), 'hex');
    expect(readTreasuryAddress(text)).toEqual({ key, address });
  });

  it.each<[TreasuryRefusal, string, string]>([
    ['checksum', 'with one letter in the other case', MIXED.replace('aA', 'AA')],
    ['checksum', 'behind the name of a chain', `eth:${MIXED.replace('aA', 'AA')}`],
    ['zero', 'that nobody owns', `0x${'0'.repeat(40)}`],
    ['precompile', 'of the first precompiled contract', `0x${'1'.padStart(40, '0')}`],
    ['precompile', 'of the last one of rollups', `0x${'1ff'.padStart(40, '0')}`],
    ['burn', 'that burns', '0x000000000000000000000000000000000000dEaD'],
    ['factory', 'of the contract that collects', COLLECTOR_FACTORY],
    ['factory', 'of the contract that deploys it', DEPLOYMENT_PROXY.toLowerCase()],
    ['length', 'with a digit too few', MIXED.slice(0, -1)],
    ['length', 'with a digit too many', `${MIXED}0`],
    ['length', 'without 0x', MIXED.slice(2)],
    ['secret', 'that is a private key, or the hash of a transaction', `0x${'4f'.repeat(32)}`],
    ['secret', 'that is a private key without 0x', '4f'.repeat(32)],
    ['seed-words', 'that is a recovery phrase', `${'abandon '.repeat(11)}about`],
    ['key', 'that is an extended public key', XPUB],
    ['key', 'that is a descriptor', `wpkh(${XPUB}/0/*)`],
    ['name', 'that is a name', 'vitalik.eth'],
    ['name', 'that is a name below another', 'pay.my-shop.base.eth'],
    ['tron', 'of Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['form', 'of Bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['form', 'with a letter that is no digit', `0x${'g'.repeat(40)}`],
    ['form', 'that is nothing', '-'],
    ['form', 'in a link to an explorer', `https://etherscan.io/address/${MIXED}`],
    ['form', 'twice', `${MIXED},${MIXED}`],
  ])('is refused (%s) where it is one %s', (refusal, _what, text) => {
    expect(readTreasuryAddress(text)).toBe(refusal);
    // A part of what was pasted may be a secret.
    if (text.length > 3) expect(TREASURY_REFUSALS[refusal]).not.toContain(text);
  });
});
