// Mistakes in what people see: the scripts and styles of the checkout, and the dashboard.

/** @type {import('./mutation.d.mts').Mutation[]} */
export default [
  {
    file: 'web/checkout/clock.ts',
    before: "  byId('payable')?.remove();\n",
    after: '',
    breaks: 'the address stays when the price has ended',
    suite: 'test/browser/checkout-page.e2e-spec.ts',
  },
  {
    file: 'web/checkout/clock.ts',
    before: '(end - Date.now() - offset) / 1000',
    after: '(end - Date.now() + offset) / 1000',
    breaks: 'a wrong clock of the customer moves the end of the price',
    suite: 'test/browser/checkout-page.e2e-spec.ts',
  },
  {
    file: 'web/checkout/copy.ts',
    before: 'await navigator.clipboard.writeText(wanted);',
    after: 'await navigator.clipboard.writeText(wanted.trimEnd() + " ");',
    breaks: 'an address is copied with a space',
    suite: 'test/browser/checkout-page.e2e-spec.ts',
  },
  {
    file: 'web/checkout/live.ts',
    before: 'showOffline(failures >= 2, hasNews);',
    after: 'showOffline(false, hasNews);',
    breaks: 'a page without a connection says nothing',
    suite: 'test/browser/checkout-connection.e2e-spec.ts',
  },
  {
    file: 'web/checkout/picker.ts',
    before:
      "if (document.hidden) document.addEventListener('visibilitychange', goOn, { once: true });\n  else goOn();",
    after: 'goOn();',
    breaks: 'a page that was loaded in advance chooses a method',
    suite: 'test/browser/checkout-picker.e2e-spec.ts',
  },
  {
    file: 'web/refund.ts',
    before: 'if (data.status !== state) return location.reload();',
    after: '',
    breaks: 'the refund page does not show that money was sent',
    suite: 'test/browser/refund-page.e2e-spec.ts',
  },
  {
    file: 'web/page.css',
    before: '[hidden] {\n  display: none !important;\n}',
    after: '[hidden] {\n  display: revert;\n}',
    breaks: 'notes that do not apply are shown',
    suite: 'test/browser/checkout-page.e2e-spec.ts',
  },
  {
    file: 'web/page.css',
    before: '.button {\n  justify-content: center;',
    after: '.button {\n  visibility: hidden;\n  justify-content: center;',
    breaks: 'buttons are invisible',
    suite: 'test/browser/checkout-page.e2e-spec.ts',
  },
  {
    file: 'web/tokens.css',
    before: '  --soft: #4d5562;',
    after: '  --soft: #9aa3b0;',
    breaks: 'secondary text is too faint to read',
    suite: 'test/contrast.spec.ts',
  },
  {
    file: 'web/dashboard/payments/amount.pure.ts',
    before: "isMore && rounding === 'up' ? digits + 1n : digits",
    after: 'digits',
    breaks: 'a filter by amount shows payments below it',
    suite: 'web/dashboard/payments/amount.pure.spec.ts',
  },
  {
    file: 'web/dashboard/payments/query.pure.ts',
    before: 'new Date(beginningOf(until, 1).getTime() - 1)',
    after: 'new Date(beginningOf(until, 0).getTime() - 1)',
    breaks: 'the last day of a filter is left out',
    suite: 'web/dashboard/payments/query.pure.spec.ts',
  },
  {
    file: 'web/dashboard/payments/rows.tsx',
    before: "{item.receivedAmount.atomic === '0' ? '—' :",
    after: "{item.receivedAmount.atomic !== '0' ? '—' :",
    breaks: 'the list hides what was received',
    suite: 'test/browser/dashboard-payments.e2e-spec.ts',
  },
  {
    file: 'web/dashboard/payment/refund-dialog.tsx',
    before: "reason: textOf('reason'), address: textOf('address') },",
    after: "reason: textOf('reason'), address: null },",
    breaks: 'the address of a refund is lost',
    suite: 'test/browser/dashboard-payments.e2e-spec.ts',
  },
  {
    file: 'web/dashboard/parts/parts.module.css',
    before: '.card > h2 {\n',
    after: '.card > * {\n  display: none;\n}\n.card > h2 {\n',
    breaks: 'cards of the dashboard are empty',
    suite: 'test/browser/dashboard-home.e2e-spec.ts',
  },
];
