import { PRIVATE_KEY, SEED_WORDS, secretProblem } from './pasted-secret.pure.js';

const KEY_CHARACTERS = '9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKm';
const HEX = '4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d';
const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
const TWELVE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const words = (count: number, separator = ' ') => Array.from({ length: count }, () => 'zoo').join(separator);

describe('secretProblem', () => {
  it.each([
    ...[
      'xprv',
      'yprv',
      'zprv',
      'tprv',
      'uprv',
      'vprv',
      'Yprv',
      'Zprv',
      'Uprv',
      'Vprv',
      'Ltpv',
      'Mtpv',
      'dgpv',
    ].map((prefix): [what: string, text: string] => [`an ${prefix}`, `${prefix}${KEY_CHARACTERS}`]),
    ['an extended private key that is cut off', 'xprv9s21'],
    ['an extended private key in a descriptor', `wpkh(xprv${KEY_CHARACTERS}/0/*)`],
    ['an extended private key behind its origin', `wpkh([d34db33f/84h/0h/0h]zprv${KEY_CHARACTERS})`],
    ['an extended private key after a label', `key: xprv${KEY_CHARACTERS}`],
    ['an extended private key in quotation marks', `"xprv${KEY_CHARACTERS}"`],
    ['32 bytes in hexadecimal', HEX],
    ['32 bytes in upper case', HEX.toUpperCase()],
    ['32 bytes with 0x', `0x${HEX}`],
    ['32 bytes with 0X', `0X${HEX}`],
    ['a seed of 64 bytes', HEX.repeat(2)],
    ['a WIF key of Bitcoin', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'],
    ['a compressed WIF key of Bitcoin', WIF],
    ['a WIF key of a test network', '91e1fpA4xxnUq5jwFxvKkk37nMNPVw1HKf7zGES2gHrV3uSs7pU'],
    ['a compressed WIF key of a test network', 'cMpMxK92W1DjqDvWV3pMn4xLwAuQJhNF3MFqkEHUQRPQofUJku8R'],
    ['a WIF key of Litecoin', '6uB7ZCt4HABDLQ8W9SpNfYGL6Aa9YZv7kPfCto6Z41S3xnYHvW4'],
    ['a compressed WIF key of Litecoin', 'T3Hdw9SMUKW5Sd67eGx6d6zfFoFJiLHSnX1dVcTWUGua4ovrd9tx'],
    ['a WIF key of Dogecoin', '6JBiP2oUwW18udfoq1ePVmUPc7VDqtkMatPGW6iRADK55XjDn56'],
    ['a compressed WIF key of Dogecoin', 'QNrHeExAKZ1buJrHgur2HyHtmydZgoQMrZoHRSDodfLkzrRFQ9x3'],
    ['an encrypted key (BIP38)', '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg'],
    ['a PEM file', '-----BEGIN EC PRIVATE KEY-----\nMHQ=\n-----END EC PRIVATE KEY-----'],
    ['a sentence about one', `my Private Key is ${HEX}`],
    ['a key between spaces', `  ${HEX} `],
    ['a WIF key and a line feed', `${WIF}\n`],
    ['a WIF key in a descriptor', `wpkh(${WIF})`],
    ['a WIF key after a label', `key: ${WIF}`],
    ['32 bytes in hexadecimal after a label', `key=0x${HEX}`],
  ])('recognizes %s as a private key', (_what, text) => expect(secretProblem(text)).toBe(PRIVATE_KEY));

  it.each([
    ['12 words', TWELVE],
    ['12 words in capital letters', TWELVE.toUpperCase()],
    ['24 words', words(24)],
    ['11 words: one is missing, or two are joined', words(11)],
    ['words on lines', words(12, '\n')],
    ['words between commas', words(12, ', ')],
    ['numbered words', Array.from({ length: 12 }, (_, i) => `${i + 1}. zoo`).join('\n')],
    ['words between spaces', `\n ${TWELVE} \n`],
    ['Japanese words', 'あいこくしん　'.repeat(12)],
    ['French words in decomposed letters', 'e\u0301le\u0300ve '.repeat(12)],
    ['Korean words', '가격 '.repeat(12)],
    ['Chinese words', '的 一 是 在 不 了 有 和 人 这 中 大'],
  ])('recognizes %s as seed words', (_what, text) => expect(secretProblem(text)).toBe(SEED_WORDS));

  it.each([
    ['nothing', ''],
    ['spaces', ' \n'],
    ['an extended public key', `xpub${KEY_CHARACTERS}`],
    ['a public descriptor', `wpkh([d34db33f/84h/0h/0h]xpub${KEY_CHARACTERS}/0/*)#qwertyui`],
    ['an EVM address', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['a Tron address', 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'],
    ['a legacy Bitcoin address', '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA'],
    ['a segwit address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ['a segwit address with 0zprv in it', 'bc1qpu8s70zprv8s7rc0pu8s7rc0pu8s7rc0hll8sf'],
    ['a segwit address with lxprv in it', 'bc1qcr8te4kr609glxprvmrza0j4xv80jy8z306fyu'],
    ['an extended key prefix inside a word', `Zxprv${KEY_CHARACTERS}`],
    ['63 hexadecimal digits', HEX.slice(1)],
    ['65 hexadecimal digits', `${HEX}0`],
    ['96 hexadecimal digits', `${HEX}${HEX.slice(32)}`],
    ['64 characters, one of them not hexadecimal', HEX.replace('f', 'g')],
    ['a WIF key with a letter missing', WIF.slice(0, -2)],
    ['a WIF key with a letter too many', `${WIF}n`],
    ['a text with letters that base58 lacks', WIF.replace('B', '0')],
    ['10 words', words(10)],
    ['10 words in decomposed letters', 'e\u0301le\u0300ve '.repeat(10)],
    ['12 numbers', Array.from({ length: 12 }, (_, i) => i).join(' ')],
    ['12 identifiers with digits', Array.from({ length: 12 }, (_, i) => `a${i}`).join(' ')],
  ])('returns null for %s', (_what, text) => expect(secretProblem(text)).toBeNull());
});
