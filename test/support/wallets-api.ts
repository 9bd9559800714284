import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { evmAddressOfPublicKey, toChecksumAddress } from '../../src/chains/evm/evm-address.pure.js';
import type { Treasury } from '../../src/wallets/treasury/treasury-address.pure.js';
import { type Answer, APPLICATIONS, ApplicationsApi } from './applications-api.js';
import { createOwner, type Owner } from './principals.js';
import type { TestGateway } from './test-gateway.js';

/** A wallet as the API shows it. */
export interface WalletDto {
  family: string;
  kind: 'key' | 'treasury';
  treasury: Treasury | null;
  scriptType: string | null;
  extendedPublicKey: string | null;
  fingerprint: string;
  nextIndex: number;
  earlierUse: {
    state: 'known' | 'unknown';
    skippedAddresses: number;
    continuedAt: number | null;
    unseenOn: string[];
  } | null;
  addressGap: { longest: number; gapLimit: number; statedGapLimit: number } | null;
  previewAddresses: string[];
  comparedAt: string | null;
  createdAt: string;
  status: 'active' | 'pending';
  changedAt: string | null;
  changedBy: 'user' | 'server' | null;
  previousFingerprint: string | null;
  pending: {
    fingerprint: string | null;
    maskedKey: string | null;
    treasury: Treasury | null;
    effectiveAt: string;
    requestedBy: 'user' | 'server';
  } | null;
}

/** A new account as a merchant's wallet program has it, with its private key. */
export function newAccount(): HDKey {
  return HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");
}

/** The addresses that the merchant's own wallet shows first. */
export function addressesOf(key: HDKey): string[] {
  return [0, 1, 2].map((index) => {
    const { publicKey } = key.derive(`m/0/${index}`);
    if (!publicKey) throw new Error('no key');
    return toChecksumAddress(evmAddressOfPublicKey(publicKey));
  });
}

/** A merchant who sets wallets of one application. */
export class WalletsApi {
  private constructor(
    private readonly gateway: TestGateway,
    readonly owner: Owner,
    readonly applications: ApplicationsApi,
    readonly applicationId: string,
  ) {}

  /** With an owner and an application of their own. */
  static async open(gateway: TestGateway, owner?: Owner): Promise<WalletsApi> {
    const merchant = owner ?? (await createOwner(gateway));
    const applications = new ApplicationsApi(gateway, merchant);
    return new WalletsApi(gateway, merchant, applications, (await applications.create()).id);
  }

  list(applicationId = this.applicationId): Promise<Answer<WalletDto[]>> {
    return this.applications.call('GET', `${APPLICATIONS}/${applicationId}/wallets`);
  }

  get(family = 'evm', applicationId = this.applicationId): Promise<Answer<WalletDto>> {
    return this.applications.call('GET', `${APPLICATIONS}/${applicationId}/wallets/${family}`);
  }

  put(body: unknown, family = 'evm', applicationId = this.applicationId): Promise<Answer<WalletDto>> {
    return this.applications.call('PUT', `${APPLICATIONS}/${applicationId}/wallets/${family}`, body);
  }

  /** Sets the public key of an account. */
  putKey(account: HDKey): Promise<Answer<WalletDto>> {
    return this.put({ extendedPublicKey: account.publicExtendedKey });
  }

  /** Cancels the pending change. */
  cancel(family = 'evm'): Promise<[status: number, text: string]> {
    return this.remove(`${family}/pending`);
  }

  /** @returns status and text, which is empty on success */
  async remove(family = 'evm', applicationId = this.applicationId): Promise<[status: number, text: string]> {
    const response = await fetch(
      `${this.gateway.baseUrl}${APPLICATIONS}/${applicationId}/wallets/${family}`,
      {
        method: 'DELETE',
        headers: { authorization: `Bearer ${this.owner.accessToken}` },
      },
    );
    return [response.status, await response.text()];
  }
}
