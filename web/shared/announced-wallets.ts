import type { Provider } from '../checkout/wallet-provider.js';

/** A wallet of the browser, as it announces itself (EIP-6963). */
export interface AnnouncedWallet {
  info: { uuid: string; name: string; icon: string };
  provider: Provider;
}

/** Calls back for each wallet once, those that come late included. */
export function onAnnouncedWallet(found: (wallet: AnnouncedWallet) => void): void {
  const known = new Set<string>();
  addEventListener('eip6963:announceProvider', (event) => {
    const wallet: unknown = event instanceof CustomEvent ? event.detail : null;
    if (!isWallet(wallet) || known.has(wallet.info.uuid)) return;
    known.add(wallet.info.uuid);
    found(wallet);
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
}

/** As a page shows it: other programs choose it. */
export function nameOf({ info }: { info: { name: string } }): string {
  return info.name.slice(0, 40);
}

function isWallet(value: unknown): value is AnnouncedWallet {
  const { info, provider } = (value ?? {}) as {
    info?: Partial<AnnouncedWallet['info']>;
    provider?: Partial<Provider>;
  };
  return (
    typeof info?.uuid === 'string' &&
    typeof info.name === 'string' &&
    typeof info.icon === 'string' &&
    typeof provider?.request === 'function'
  );
}
