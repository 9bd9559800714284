/**
 * Why the production profile refuses a webhook address that is well-formed, or null. The delivery checks
 * the same and the resolved address too (api.md G5); here it is an early answer to a person.
 * @param url an http(s) URL without user info
 */
export function callbackUrlProblem(url: string, production: boolean): string | null {
  if (!production) return null;
  const { protocol, port } = new URL(url);
  if (protocol !== 'https:') return 'The callbackUrl field must be a valid https URL.';
  if (port !== '' && Number(port) < 1024)
    return 'The callbackUrl field must use port 443 or a port from 1024.';
  return null;
}
