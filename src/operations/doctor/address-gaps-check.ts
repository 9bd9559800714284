import type { Queryable } from '../../platform/database/sql.js';
import { gapLimitFor } from '../../wallets/earlier-use/address-gap.pure.js';
import { AddressGaps } from '../../wallets/earlier-use/address-gaps.service.js';
import { type Finding, Subject } from './finding.js';

/** Wallets that are looked at. */
const MOST = 100;

/** A wallet program that looks only 20 addresses ahead does not show what was paid behind a longer run. */
export async function checkAddressGaps(sql: Queryable): Promise<Finding[]> {
  const about = new Subject('gap limits');
  return (await AddressGaps.listLong(sql, MOST)).map(({ walletId, longest, statedGapLimit }) =>
    about.warning(
      `${longest} addresses in a row of wallet ${walletId} were not paid: wallet programs that look ${statedGapLimit} ` +
        'ahead do not show what is paid after them',
      `have its owner set the gap limit of their wallet program to ${gapLimitFor(longest)}, and say so on the page of ` +
        'wallets (docs/how-to/wallets.md)',
    ),
  );
}
