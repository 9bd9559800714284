/**
 * Characters that a parameter may have at most. Anyone can begin a sign-in, and its parameters are stored until it
 * expires (specification/authentication.md#sizes); clients keep return addresses and encrypted state in `state`.
 */
const MAX_CHARACTERS: Readonly<Record<string, number>> = {
  acr_values: 128,
  claims: 1_024,
  claims_locales: 128,
  client_id: 255,
  code: 512,
  code_challenge: 128,
  code_challenge_method: 16,
  // RFC 7636, section 4.1.
  code_verifier: 128,
  display: 16,
  grant_type: 128,
  login_hint: 320,
  max_age: 16,
  nonce: 512,
  prompt: 64,
  redirect_uri: 2_048,
  refresh_token: 512,
  response_mode: 32,
  response_type: 64,
  scope: 1_024,
  state: 2_048,
  ui_locales: 128,
};
/** Of all others: tokens of other issuers, and what the authorization server ignores. */
const MAX_OTHER = 8_192;
/** Parameters; the protocol has some 30, and the library's time grows with the square of their number. */
const MAX_COUNT = 64;

/** What is wrong with the sizes of a request's parameters, for `error_description`; null: nothing. */
export function oversizedParameter(parameters: URLSearchParams): string | null {
  if (parameters.size > MAX_COUNT) return `there are more than ${MAX_COUNT} parameters`;
  for (const [name, value] of parameters) {
    const isKnown = Object.hasOwn(MAX_CHARACTERS, name);
    const most = (isKnown ? MAX_CHARACTERS[name] : undefined) ?? MAX_OTHER;
    // The name of an unknown parameter is the stranger's text.
    if (value.length > most) return `${isKnown ? name : 'a parameter'} is longer than ${most} characters`;
  }
  return null;
}
