/**
 * The receipt's script: times in the reader's own zone, and a button that prints. Without it the page is complete, in UTC.
 */

import { localizeTimes } from './checkout/times.js';

const PRINT = document.getElementById('print');

localizeTimes(true);
if (PRINT) {
  PRINT.hidden = false;
  PRINT.addEventListener('click', () => print());
}
// Paper has no folds.
addEventListener('beforeprint', () => {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
});
