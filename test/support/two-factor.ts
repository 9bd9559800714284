import { createHmac } from 'node:crypto';
import { base32 } from '@scure/base';
import type { AccountAnswer, AccountApi } from './account-api.js';
import type { QrCode } from '../../src/platform/web/html/qr-code.pure.js';
import { Browser } from './browser.js';
import { authorizeUrl, PASSWORD } from './oauth-api.js';

export interface EnrolmentDto {
  secret: string;
  uri: string;
  qrCode: QrCode;
}

export interface RecoveryCodesDto {
  recoveryCodes: string[];
}

/** What an authenticator program shows (RFC 4226 section 5.3), worked out by hand. */
export function codeAt(secret: string, unixSeconds: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(unixSeconds / 30)));
  const mac = createHmac('sha1', Buffer.from(base32.decode(secret)))
    .update(counter)
    .digest();
  const offset = mac.readUInt8(19) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** The second factor of one account, with the telephone at hand. */
export class TwoFactorApi {
  secret = '';
  recoveryCodes: string[] = [];

  constructor(readonly account: AccountApi) {}

  /** In force, with {@link secret} and {@link recoveryCodes} known. */
  static async open(account: AccountApi): Promise<TwoFactorApi> {
    const api = new TwoFactorApi(account);
    await api.enrol();
    const { status, data, text } = await api.confirm(api.code());
    if (status !== 200) throw new Error(`not confirmed: ${status} ${text}`);
    api.recoveryCodes = data.recoveryCodes;
    // The code that confirmed is spent, and so is its step.
    api.nextStep();
    return api;
  }

  /** The code of now. */
  code(): string {
    return codeAt(this.secret, this.account.gateway.clock.unixSeconds());
  }

  /** Never a code of the three steps around now. */
  wrongCode(): string {
    const now = this.account.gateway.clock.unixSeconds();
    const good = new Set([-30, 0, 30].map((seconds) => codeAt(this.secret, now + seconds)));
    return ['111111', '222222', '333333', '444444'].find((code) => !good.has(code)) ?? '';
  }

  nextStep(): void {
    this.account.gateway.clock.advanceSeconds(30);
  }

  get() {
    return this.account.call<{ enabled: boolean; enabledAt: string | null; recoveryCodesLeft: number }>(
      'GET',
      '/two-factor',
    );
  }

  async enrol(body: unknown = { currentPassword: PASSWORD }): Promise<AccountAnswer<EnrolmentDto>> {
    const answer = await this.account.call<EnrolmentDto>('POST', '/two-factor', body);
    if (answer.status === 201) this.secret = answer.data.secret;
    return answer;
  }

  confirm(code: unknown): Promise<AccountAnswer<RecoveryCodesDto>> {
    return this.account.call('POST', '/two-factor/confirm', { code });
  }

  regenerate(code: unknown, currentPassword = PASSWORD): Promise<AccountAnswer<RecoveryCodesDto>> {
    return this.account.call('POST', '/two-factor/recovery-codes', { currentPassword, code });
  }

  disable(code: unknown, currentPassword = PASSWORD): Promise<AccountAnswer<unknown>> {
    return this.account.call('POST', '/two-factor/disable', { currentPassword, code });
  }

  /** A browser whose password was right, on the page that asks for the code. */
  async openCodePage(email = this.account.user.email) {
    const browser = new Browser(this.account.gateway);
    const login = await browser.follow(await browser.get(authorizeUrl(this.account.clientId)));
    const page = await browser.submit(login.url, { email, password: PASSWORD });
    const typeCode = (code: string, headers?: Record<string, string>) =>
      browser.submit(login.url, { code, decision: 'allow' }, headers);
    return { browser, url: login.url, page, typeCode };
  }

  /** The status of a sign-in with this code: 303 leads on. */
  async signInStatus(code: string): Promise<number> {
    const { typeCode } = await this.openCodePage();
    return (await typeCode(code)).status;
  }
}
