/** Where a sign-in may lead back to: a screen of the dashboard, and nothing else. */
export function safeReturnPath(path: string | null): string {
  if (path === null || !/^\/dashboard(\/[\w-]+){0,5}\/?(\?[^#]*)?$/.test(path)) return '/dashboard';
  // Coming back to it would sign in again.
  return /^\/dashboard\/callback\b/.test(path) ? '/dashboard' : path;
}
