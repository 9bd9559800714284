/** Replaces a secret in a log line. */
const CENSORED = '[redacted]';

/** Keys whose values are always secret; compared without "-" and "_". */
const SECRET_KEY =
  /(authorization|cookie|secret|password|passphrase|token|signature|xpub|extendedpublickey|privatekey|signingkey|apikey|appkey|mnemonic|seed|recoverycode)s?$/i;

/** Whether the value of this name is always secret. */
export function isSecretName(name: string): boolean {
  return SECRET_KEY.test(name.replace(/[-_]/g, ''));
}

/** Secrets that are recognized by their form. Each pattern takes time linear in the length of the line. */
const SECRET_TEXT: [RegExp, string][] = [
  // client tokens and webhook secrets
  [/pct_[0-9A-Za-z]+/g, `pct_${CENSORED}`],
  [/whsec_[0-9A-Za-z+/=_-]+/g, `whsec_${CENSORED}`],
  // extended keys, public and private (SLIP-132)
  [
    /\b(?:[xyztuvYZUV](?:pub|prv)|[LM]t(?:ub|pv)|dg(?:ub|pv))[1-9A-HJ-NP-Za-km-z]{20,}/g,
    `${CENSORED} extended key`,
  ],
  // checkout links are credentials (specification/checkout.md#signed-links)
  [/\bsignature=[0-9A-Za-z%]+/gi, `signature=${CENSORED}`],
  // two-factor secrets, as in otpauth:// addresses
  [/\bsecret=[A-Z2-7]+/g, `secret=${CENSORED}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${CENSORED}`],
  // JSON Web Tokens
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g, CENSORED],
  // passwords in connection URLs
  [/(:\/\/[^\s:@/"]*:)[^\s@/"]+@/g, `$1${CENSORED}@`],
];

/** Removes secrets that are recognizable by their form. */
export function redactText(text: string): string {
  return SECRET_TEXT.reduce((line, [pattern, censored]) => line.replace(pattern, censored), text);
}

const MAX_DEPTH = 6;
const MAX_ITEMS = 50;

/** Message and stack, but none of the other properties: drivers and HTTP clients put parameters there. */
function describeError(error: Error, depth: number): object {
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && { code: String(error.code) }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: redactFields(error.cause, depth + 1) }),
  };
}

/** A printable copy of anything, without the values of {@link SECRET_KEY}; of an Error, message and stack. */
export function redactFields(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return describeError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redactFields(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isSecret = item !== null && item !== undefined && isSecretName(key);
      return [key, isSecret ? CENSORED : redactFields(item, depth + 1)];
    }),
  );
}
