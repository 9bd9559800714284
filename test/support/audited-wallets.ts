import { WalletChanges } from '../../src/wallets/wallet-changes.service.js';
import type { AuditedRoute, AuditHarness } from './audit-harness.js';
import { newAccount } from './wallets-api.js';

type WalletAct =
  | 'wallet.activated'
  | 'wallet.removed'
  | 'wallet.change_requested'
  | 'wallet.change_applied'
  | 'wallet.change_cancelled'
  | 'wallet.compared'
  | 'wallet.comparison_failed';

/** The ways to the acts about wallets; changes wait in the harness. @param asOwner the actor of the owner's server */
export function auditedWallets(
  { shop, application }: AuditHarness,
  asOwner: () => string,
): Record<WalletAct, AuditedRoute<unknown>> {
  const path = `/api/payment-applications/${application.id}/wallets/evm`;
  /** Throws unless the gateway did it. */
  const call = async (method: string, where = path, body?: unknown): Promise<void> => {
    const { status } = await shop.call(method, where, shop.owner.accessToken, body);
    if (status >= 400) throw new Error(`answered ${status}`);
  };
  const putKey = (extendedPublicKey: string) => call('PUT', path, { extendedPublicKey });
  const putNewKey = () => putKey(newAccount().publicExtendedKey);
  /** Throws unless the gateway applied what was due. */
  const applyChanges = async () => {
    shop.gateway.clock.advanceSeconds(shop.gateway.config.walletChangeDelaySeconds);
    await shop.gateway.get(WalletChanges).runOnce();
    const { body } = await shop.call<{ pending: unknown }[]>(
      'GET',
      path.replace('/evm', ''),
      shop.owner.accessToken,
    );
    if (body.data.some(({ pending }) => pending)) throw new Error('not applied');
  };
  const applied = { tables: ['wallets', 'wallet_choices', 'wallet_changes'], actor: () => 'system' };
  const asked: AuditedRoute<string> = {
    before: async () => newAccount().publicExtendedKey,
    act: putKey,
    tables: ['wallet_changes'],
    actor: asOwner,
  };
  const comparison: AuditedRoute<string[]> = {
    before: async () => {
      const { body } = await shop.call<{ previewAddresses: string[] }>('GET', path, shop.owner.accessToken);
      return body.data.previewAddresses;
    },
    act: async () => undefined,
    tables: [],
    actor: asOwner,
  };
  return {
    'wallet.activated': {
      ...asked,
      tables: ['wallets', 'wallet_choices', 'wallet_changes'],
    } as AuditedRoute<unknown>,
    'wallet.removed': { before: () => call('DELETE'), act: applyChanges, ...applied },
    'wallet.change_requested': {
      ...asked,
      // The first key takes effect at once.
      before: async () => {
        await putNewKey();
        return newAccount().publicExtendedKey;
      },
    } as AuditedRoute<unknown>,
    'wallet.change_applied': { act: applyChanges, ...applied },
    'wallet.compared': {
      ...comparison,
      act: (addresses) => call('PUT', `${path}/comparison`, { addresses }),
      tables: ['wallets'],
    } as AuditedRoute<unknown>,
    'wallet.comparison_failed': {
      ...comparison,
      act: async (addresses: string[]) => {
        const body = { addresses: addresses.toReversed() };
        const { status } = await shop.call('PUT', `${path}/comparison`, shop.owner.accessToken, body);
        if (status !== 422) throw new Error(`returned ${status}`);
      },
      tables: [],
    } as AuditedRoute<unknown>,
    'wallet.change_cancelled': {
      before: putNewKey,
      act: () => call('DELETE', `${path}/pending`),
      tables: ['wallet_changes'],
      actor: asOwner,
    },
  };
}
