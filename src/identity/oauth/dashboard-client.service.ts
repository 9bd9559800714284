import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { DASHBOARD_CLIENT_ID, dashboardRedirectUri } from './dashboard-client.pure.js';
import { ProvisioningService } from './provisioning.service.js';

/** Registers the dashboard as an OAuth client, so that no operator has to. */
@Injectable()
export class DashboardClient {
  private registered: Promise<void> | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly provisioning: ProvisioningService,
  ) {}

  /** Call it before each of its sign-ins. Writes at the first one, and when the gateway's address has changed. */
  async ensure(): Promise<void> {
    this.registered ??= this.register();
    try {
      await this.registered;
    } catch (error) {
      // The next sign-in tries again.
      this.registered = null;
      throw error;
    }
  }

  private register(): Promise<void> {
    return this.provisioning.ensureClient({
      clientId: DASHBOARD_CLIENT_ID,
      name: 'Dashboard',
      secret: null,
      userId: null,
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: [dashboardRedirectUri(this.config.baseUrl)],
    });
  }
}
