/** The gateway's own OAuth client: the dashboard in the browser (specification/authentication.md#dashboard). */
export const DASHBOARD_CLIENT_ID = 'dashboard';
const CALLBACK = '/dashboard/callback';

/** The only address that its sign-ins lead back to. */
export function dashboardRedirectUri(baseUrl: string): string {
  return `${baseUrl}${CALLBACK}`;
}
