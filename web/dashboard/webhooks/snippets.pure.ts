/** Languages in which an application can copy how to verify a webhook. */
export const LANGUAGES = ['curl', 'node', 'python', 'php', 'go', 'ruby'] as const;
export type Language = (typeof LANGUAGES)[number];

/** As people write them; the same in every language of the dashboard. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  curl: 'curl, openssl',
  node: 'Node.js',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  ruby: 'Ruby',
};

interface Endpoint {
  /** Where the webhooks of the application go. */
  url: string;
}

/** The variable that the secret is in; its value is never shown. */
const SECRET = 'WEBHOOK_SECRET';
const TIMESTAMP = 'X-PaymentService-Timestamp';
const SIGNATURE = 'X-PaymentService-Signature';
/** While a secret is being changed: by the other one of the two. */
const OTHER_SIGNATURE = 'X-PaymentService-Signature-Previous';
const MAX_AGE_SECONDS = 300;

/** `X-Some-Header` as PHP and Ruby name it. */
const cgi = (header: string) => `HTTP_${header.toUpperCase().replaceAll('-', '_')}`;

const WRITERS: Record<Language, (endpoint: Endpoint) => string> = {
  curl: ({ url }) => `# Sends a signed event to your own server, as the gateway does.
timestamp=$(date +%s)
body='{"id":"11111111-1111-4111-8111-111111111111","event":"payment.received","test":true}'
case "$${SECRET}" in
  whsec_*) key=$(printf %s "\${${SECRET}#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n') ;;
  *) key=$(printf %s "$${SECRET}" | od -An -v -tx1 | tr -d ' \\n') ;;
esac
signature=$(printf %s "$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -r | cut -d' ' -f1)
curl -i '${url.replaceAll("'", '%27')}' \\
  -H 'Content-Type: application/json' \\
  -H "${TIMESTAMP}: $timestamp" \\
  -H "${SIGNATURE}: $signature" \\
  -d "$body"`,
  node: ({ url }) => `import { createHmac, timingSafeEqual } from 'node:crypto';

const secret = process.env.${SECRET};
const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);

/** Of a POST to ${url}; body: the raw bytes, below 64 kB. Answer 400 if it is false. */
export function isFromGateway(headers, body) {
  const timestamp = headers['${TIMESTAMP.toLowerCase()}'] ?? '';
  const names = ['${SIGNATURE.toLowerCase()}', '${OTHER_SIGNATURE.toLowerCase()}'];
  const expected = createHmac('sha256', key).update(\`\${timestamp}.\`).update(body).digest();
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= ${MAX_AGE_SECONDS};
  const given = names.map((name) => Buffer.from(headers[name] ?? '', 'hex'));
  return isFresh && given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}`,
  python: ({ url }) => `import base64, hashlib, hmac, os, time

secret = os.environ["${SECRET}"]
key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()


def is_from_gateway(headers, body: bytes) -> bool:
    """Of a POST to ${url}; body: the raw bytes, below 64 kB. Answer 400 if it is False."""
    timestamp = headers.get("${TIMESTAMP}", "")
    given = (headers.get(name, "") for name in ("${SIGNATURE}", "${OTHER_SIGNATURE}"))
    expected = hmac.new(key, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    is_fresh = timestamp.isdigit() and abs(time.time() - int(timestamp)) <= ${MAX_AGE_SECONDS}
    return is_fresh and any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)`,
  php: ({ url }) => `<?php
// Of a POST to ${url}, whose body is below 64 kB. Answer 400 if it is false.
function is_from_gateway(array $server, string $body): bool // $_SERVER, file_get_contents('php://input')
{
    $secret = getenv('${SECRET}');
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;
    $timestamp = $server['${cgi(TIMESTAMP)}'] ?? '';
    $expected = hash_hmac('sha256', $timestamp . '.' . $body, $key);
    return ctype_digit($timestamp)
        && abs(time() - (int) $timestamp) <= ${MAX_AGE_SECONDS}
        && (hash_equals($expected, $server['${cgi(SIGNATURE)}'] ?? '')
            || hash_equals($expected, $server['${cgi(OTHER_SIGNATURE)}'] ?? ''));
}`,
  go: ({ url }) => `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// IsFromGateway checks a POST to ${url}; body: the raw bytes, below 64 kB. Answer 400 if it is false.
func IsFromGateway(header http.Header, body []byte) bool {
	secret := os.Getenv("${SECRET}")
	key := []byte(secret)
	if encoded, found := strings.CutPrefix(secret, "whsec_"); found {
		key, _ = base64.StdEncoding.DecodeString(encoded)
	}
	timestamp := header.Get("${TIMESTAMP}")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Since(time.Unix(seconds, 0)).Abs()
	if err != nil || len(key) == 0 || age > ${MAX_AGE_SECONDS}*time.Second {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, name := range []string{"${SIGNATURE}", "${OTHER_SIGNATURE}"} {
		if given, err := hex.DecodeString(header.Get(name)); err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}`,
  ruby: ({ url }) => `require "openssl"

# Of a POST to ${url}; env: that of Rack, body: the raw bytes, below 64 kB. Answer 400 if it is false.
def from_gateway?(env, body)
  secret = ENV.fetch("${SECRET}")
  key = secret.start_with?("whsec_") ? secret.delete_prefix("whsec_").unpack1("m0") : secret
  timestamp = env["${cgi(TIMESTAMP)}"].to_s
  given = %w[${cgi(SIGNATURE)} ${cgi(OTHER_SIGNATURE)}].map { |name| env[name].to_s }
  expected = OpenSSL::HMAC.hexdigest("SHA256", key, "#{timestamp}.".b + body.b)
  fresh = timestamp.match?(/\\A\\d+\\z/) && (Time.now.to_i - timestamp.to_i).abs <= ${MAX_AGE_SECONDS}
  fresh && given.any? { |one| OpenSSL.secure_compare(one, expected) }
end`,
};

/** How the server of an application finds out that a webhook is the gateway's (specification/webhooks.md#signatures). */
export function snippetOf(language: Language, endpoint: Endpoint): string {
  return WRITERS[language](endpoint);
}
