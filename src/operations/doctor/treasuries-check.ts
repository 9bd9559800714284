import type { ChainsService } from '../../chains/chains.service.js';
import { describePresence } from '../../wallets/treasury/treasury-presence.pure.js';
import { findTreasury } from '../../wallets/wallet-source.pure.js';
import type { DoctorRepository } from './doctor.repository.js';
import { type Finding, Subject } from './finding.js';

/** Each asks every EVM chain once. */
const MOST = 100;

/** A chain that was added later may not have the Safe that everything goes to. */
export async function checkTreasuries(
  chains: ChainsService,
  repository: DoctorRepository,
): Promise<Finding[]> {
  const stored = await repository.treasuries(MOST);
  const addresses = [...new Set(stored.map((text) => findTreasury(text)?.address))].filter(
    (address) => address !== undefined,
  );
  const findings = await Promise.all(addresses.map((address) => checkTreasury(chains, address)));
  const wrong = findings.filter((finding) => finding !== null);
  if (addresses.length === 0 || wrong.length > 0) return wrong;
  return [new Subject('treasuries').ok(`${addresses.length} can be paid on every EVM chain`)];
}

async function checkTreasury(chains: ChainsService, address: string): Promise<Finding | null> {
  const { problem, unknown } = describePresence(
    await chains.findPresence(Buffer.from(address.slice(2), 'hex')),
  );
  const about = new Subject('treasuries');
  if (problem !== null)
    return about.failure(
      `${address} ${problem}`,
      'until then collect nothing on a chain where it is missing: what is sent to it there is out of reach',
    );
  if (unknown.length === 0) return null;
  return about.warning(
    `${address} could not be looked at on ${unknown.join(', ')}`,
    'run the doctor again when their nodes answer',
  );
}
