/**
 * The script of the checkout page: a countdown, copy buttons, wallets of the browser, and a new `<main>` from the server whenever the payment
 * has changed. It decides nothing and has no texts of its own; without it the page is complete and reloads by itself.
 */

import { startClock } from './clock.js';
import { startCopying } from './copy.js';
import { startTellingShop } from './embedded.js';
import { startFollowing } from './live.js';
import { prepareMain } from './part.js';
import { guardForms } from './offline-guard.js';
import { startPicker } from './picker.js';
import { startSharing } from './share.js';
import { startWatchingWalletLink } from './wallet-link.js';
import { findWallets } from './wallets.js';

prepareMain();
startClock();
startCopying();
startFollowing();
guardForms();
startPicker();
startSharing();
startTellingShop();
startWatchingWalletLink();
findWallets();
