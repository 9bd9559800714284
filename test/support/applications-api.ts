import { sendRequest } from './api-request.js';
import type { Owner } from './principals.js';
import type { TestGateway } from './test-gateway.js';

/** The path of payment applications. */
export const APPLICATIONS = '/api/payment-applications';

/** A payment application as the API shows it. */
export interface ApplicationDto {
  id: string;
  name: string;
  clientId: string;
  userId: string;
  currencyWhitelist: string[];
  events: string[];
  site: {
    id: string;
    title: string;
    url: string | null;
    callbackUrl: string | null;
    setting: {
      id: string;
      title: string;
      allowOverpay: boolean;
      allowUnderpay: boolean;
      confirmations: Record<string, number>;
    };
  };
  accent: string | null;
  supportUrl: string | null;
  defaultLanguage: string | null;
  paymentAppImage: { id: string; url: string } | null;
  createdAt: string;
  deletedAt: string | null;
}

/** An error body (specification/errors.md#body). */
export interface ErrorBody {
  message: string;
  code: string;
  errors?: Record<string, string[]>;
  hint?: string;
}

/** What came back; `data` on success, `error` otherwise. */
export interface Answer<T> {
  status: number;
  text: string;
  data: T;
  error: ErrorBody;
  meta: { pagination: Record<string, number> } | undefined;
}

/** A merchant's view of one gateway: calls with or without a token, and the application endpoints by name. */
export class ApplicationsApi {
  constructor(
    private readonly gateway: TestGateway,
    private readonly owner: Owner | null,
  ) {}

  /** @param body an object, or text to be sent as it is */
  async call<T = ApplicationDto>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const token = this.owner?.accessToken ?? null;
    const headers = { accept: 'application/json' };
    const url = `${this.gateway.baseUrl}${path}`;
    const { status, text } = await sendRequest(url, { method, token, body, headers });
    const parsed = JSON.parse(text) as { data: T; meta?: Answer<T>['meta'] } & ErrorBody;
    return { status, text, data: parsed.data, error: parsed, meta: parsed.meta };
  }

  /** With a name and a secret unless `fields` bring their own. */
  async create(fields: object = {}): Promise<ApplicationDto> {
    const { status, data, text } = await this.call('POST', APPLICATIONS, {
      name: 'My Store',
      secret: 'whsec_c2VjcmV0LWNhbmFyeS0wMDAxLTAwMDE=',
      ...fields,
    });
    if (status !== 201) throw new Error(`not created: ${status} ${text}`);
    return data;
  }

  get(id: string) {
    return this.call('GET', `${APPLICATIONS}/${id}`);
  }

  put(id: string, changes: unknown) {
    return this.call('PUT', `${APPLICATIONS}/${id}`, changes);
  }

  delete(id: string) {
    return this.call('DELETE', `${APPLICATIONS}/${id}`);
  }

  restore(id: string) {
    return this.call('POST', `${APPLICATIONS}/${id}/restore`);
  }

  list(query = '') {
    return this.call<ApplicationDto[]>('GET', `${APPLICATIONS}${query}`);
  }

  async names(query = ''): Promise<string[]> {
    return (await this.list(query)).data.map(({ name }) => name);
  }
}
