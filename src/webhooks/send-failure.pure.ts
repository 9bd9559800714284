import { isNativeError } from 'node:util/types';

/** A target that webhooks must not reach (specification/webhooks.md#target-addresses); the message is safe to show. */
export class TargetRefusedError extends Error {
  override readonly name = 'TargetRefusedError';
}

/** The operator's proxy refused or failed to open a connection. */
export class EgressProxyError extends Error {
  override readonly name = 'EgressProxyError';

  /** @param what safe to show */
  constructor(what: string) {
    super(`egress proxy: ${what}`);
  }
}

/** The whole attempt took too long; the message is safe to show. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Descriptions of the most common error codes of Node and undici. */
const MEANINGS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  UND_ERR_HEADERS_OVERFLOW: 'response headers are too large',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'request broken off',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'response shorter or longer than its Content-Length',
};

/**
 * Describes a failed attempt for the delivery log. Messages of other errors are never used, because they may contain
 * the URL with the merchant's secrets in it.
 */
export function describeFailure(error: unknown): string {
  if (!isNativeError(error)) return 'unknown error';
  if (error instanceof TargetRefusedError) return `refused: ${error.message}`;
  if (error instanceof DeadlineError || error instanceof EgressProxyError) return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const meaning = MEANINGS[code];
  if (meaning !== undefined) return meaning;
  if (code.startsWith('HPE_') || error.name === 'HTTPParserError') return 'malformed HTTP response';
  if (isTlsCode(code)) return `TLS failed (${code})`;
  return /^[A-Z0-9_]{3,60}$/.test(code) ? code : error.name;
}

/** OpenSSL's and Node's codes for handshakes and certificates. */
function isTlsCode(code: string): boolean {
  return /^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO$)/.test(code) || /_CERT(_|$)|_CRL(_|$)|_SIGNATURE$/.test(code);
}
