import type { TestGateway } from './test-gateway.js';

/** What a page or redirect answered. */
export interface Answer {
  status: number;
  headers: Headers;
  body: string;
  /** Where a redirect leads, or null. */
  location: URL | null;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** A browser without JavaScript: it keeps cookies, sends Origin with forms, and follows no redirect by itself. */
export class Browser {
  private cookies: Cookie[] = [];

  constructor(private readonly gateway: TestGateway) {}

  get(url: string | URL): Promise<Answer> {
    return this.request(url, { method: 'GET' });
  }

  /** Sends a form as the page at the same address would. */
  submit(
    url: string | URL,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Answer> {
    return this.request(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: headers ?? { origin: new URL(this.gateway.config.baseUrl).origin },
    });
  }

  /** Follows redirects while they stay inside the gateway. */
  async follow(answer: Answer): Promise<Answer & { url: URL }> {
    let [current, url] = [answer, new URL(this.gateway.config.baseUrl)];
    while (current.location?.href.startsWith(`${this.gateway.config.baseUrl}/`)) {
      url = current.location;
      current = await this.get(url);
    }
    return { ...current, url };
  }

  /** Every cookie as `name=value`. */
  get cookieTexts(): string[] {
    return this.cookies.map(({ name, value }) => `${name}=${value}`);
  }

  /** Changes the value of a cookie, as its owner can. Throws unless it changes. */
  forge(name: string, change: (value: string) => string): void {
    const cookie = this.cookies.find((one) => one.name === name);
    const value = cookie ? change(cookie.value) : '';
    if (!cookie || value === cookie.value) throw new Error(`${name} was not changed`);
    cookie.value = value;
  }

  /** Takes cookies of another browser, as a page of a host beside the gateway's could plant them. */
  plant(other: Browser, isPlanted: (name: string) => boolean): void {
    this.cookies.push(...other.cookies.filter(({ name }) => isPlanted(name)));
  }

  private async request(url: string | URL, init: RequestInit): Promise<Answer> {
    const { pathname, search } = new URL(url, this.gateway.config.baseUrl);
    const cookie = this.cookies
      .filter(({ path }) => path === '/' || pathname === path || pathname.startsWith(`${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const response = await fetch(`${this.gateway.baseUrl}${pathname}${search}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) },
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      body: await response.text(),
      location: location === null ? null : new URL(location, this.gateway.config.baseUrl),
    };
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/;\s*/);
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
    this.cookies = this.cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
    if (value !== '') this.cookies.push({ name, value, path });
  }
}
