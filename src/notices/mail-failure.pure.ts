/** What is known of a mail that was not handed in: codes alone, as texts of mail servers repeat addresses. */
export interface MailFailure {
  /** Of the library (nodemailer, "Error codes"). */
  code: string | null;
  /** Of the system or of TLS below it. */
  cause: string | null;
  /** Of the server (RFC 5321 section 4.2). */
  reply: number | null;
}

/** X.509 errors as Node.js names them (tls, "X509 certificate error codes"). */
const CERTIFICATES: readonly [RegExp, string][] = [
  [/^ERR_TLS_CERT_ALTNAME_|^HOSTNAME_MISMATCH$/, 'certificate of another name'],
  [/^CERT_HAS_EXPIRED$/, 'certificate has expired'],
  [/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_)/, 'certificate of an unknown authority'],
  [/^ERR_SSL_/, 'no TLS at this port'],
];

/** What an operator can mend, in words; else the codes. At most 40 characters, as the database keeps. */
export function mailFailureText({ code, cause, reply }: MailFailure): string {
  const [, words] = CERTIFICATES.find(([pattern]) => pattern.test(cause ?? '')) ?? [];
  const codes = [code ?? 'failed', ...(reply === null ? [] : [reply])].join(' ');
  if (words !== undefined) return words;
  if (code === 'EAUTH') return `user or password refused (${codes})`.slice(0, 40);
  if (code === 'ETLS') return `no STARTTLS (${codes})`.slice(0, 40);
  return codes.slice(0, 40);
}
