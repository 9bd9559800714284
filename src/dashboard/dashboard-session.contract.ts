import { Contract } from '../platform/web/contract/contract.js';
import { Count, Text } from '../platform/web/contract/fields.js';

@Contract('DashboardSignIn', 'What the authorization server sent back to the dashboard.')
export class DashboardSignInContract {
  @Text({
    min: 1,
    max: 512,
    about: 'The code of `/dashboard/callback`.',
    example: 'Zx2c5r0bP3l7o8Vq1nT4dY6sKf9hJmWe',
  })
  code: string;

  @Text({
    min: 43,
    max: 128,
    about: 'The verifier whose challenge was sent (RFC 7636).',
    example: 'dBjftJeZ4CVP-mBW27uhbuUXj4XoLt3P0oxKbHZJUdM',
  })
  codeVerifier: string;
}

@Contract('DashboardSession', 'The access of a signed-in dashboard.')
export class DashboardSessionContract {
  @Text({ about: 'For `Authorization: Bearer`.', example: 'vGdH2yq0mTn6cP4rJ8sKxW1bZ5fL3aQe7uYoViNtRDk' })
  accessToken: string;

  @Count({ about: 'Seconds until it ends.', example: 3600 })
  expiresIn: number;
}
