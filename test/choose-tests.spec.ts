import { chooseTests } from '../scripts/choose-tests.mjs';

/** path -> what it imports, and its text if that matters. */
const FILES: Record<string, { imports?: string[]; text?: string }> = {
  'src/app.ts': {
    imports: ['src/webhooks/retry.service.ts', 'src/rates/rates.service.ts', 'src/platform/sql.ts'],
  },
  'src/platform/sql.ts': {},
  'src/webhooks/schedule.pure.ts': { text: 'backoffSeconds' },
  'src/webhooks/schedule.pure.spec.ts': { imports: ['src/webhooks/schedule.pure.ts'] },
  'src/webhooks/retry.service.ts': {
    imports: ['src/webhooks/schedule.pure.ts', 'src/platform/sql.ts'],
    text: 'delivery.failed',
  },
  'src/webhooks/retry.spec.ts': { imports: ['src/webhooks/retry.service.ts'] },
  'src/rates/rates.service.ts': { text: 'sourceDisagrees' },
  'src/page/sheet.ts': { text: "readFile('web/checkout/sheet.css')" },
  'src/page/sheet.spec.ts': { imports: ['src/page/sheet.ts'] },
  'web/checkout/sheet.css': {},
  'web/checkout/live.ts': {},
  'migrations/0002-read-history.ts': {},
  'docs/errors.md': {},
  'test/error-docs.spec.ts': { text: "read('docs/errors.md')" },
  'test/support/test-gateway.ts': { imports: ['src/app.ts', 'src/platform/sql.ts'] },
  'test/support/webhook-harness.ts': { imports: ['test/support/test-gateway.ts'] },
  'test/webhook-retries.e2e-spec.ts': { imports: ['test/support/webhook-harness.ts'] },
  'test/rates.e2e-spec.ts': { imports: ['test/support/test-gateway.ts'] },
  'test/unnamed.e2e-spec.ts': {
    imports: ['test/support/test-gateway.ts'],
    text: 'sourceDisagrees, and many other words of its own',
  },
  'test/direct.e2e-spec.ts': { imports: ['test/support/test-gateway.ts', 'src/rates/rates.service.ts'] },
  'test/entities.e2e-spec.ts': { imports: ['test/support/test-gateway.ts'] },
  'test/browser/checkout-live.e2e-spec.ts': { imports: ['test/support/test-gateway.ts'] },
  'test/screens/checkout.e2e-spec.ts': { imports: ['test/support/test-gateway.ts'] },
};

function choose(changed: string[], limits?: { unit: number; endToEnd: number; browser: number }) {
  const texts = new Map(Object.entries(FILES).map(([file, { text }]) => [file, text ?? '']));
  const imports = new Map(Object.entries(FILES).map(([file, entry]) => [file, entry.imports ?? []]));
  return chooseTests({ changed, texts, imports, ...(limits && { limits }) });
}

const specsOf = (...changed: string[]) => choose(changed).chosen.map(({ spec }) => spec);

describe('the tests of a change', () => {
  it.each([
    [
      'unit tests by imports, nearest first, and end-to-end tests by name',
      'src/webhooks/schedule.pure.ts',
      [
        'src/webhooks/schedule.pure.spec.ts',
        'src/webhooks/retry.spec.ts',
        'test/webhook-retries.e2e-spec.ts',
      ],
    ],
    [
      'end-to-end tests that import it before those with its name or its words',
      'src/rates/rates.service.ts',
      ['test/direct.e2e-spec.ts', 'test/rates.e2e-spec.ts', 'test/unnamed.e2e-spec.ts'],
    ],
    ['no end-to-end test by what all of them import', 'src/platform/sql.ts', ['src/webhooks/retry.spec.ts']],
    ['unit tests of what reads it', 'web/checkout/sheet.css', ['src/page/sheet.spec.ts']],
    ['a test that reads a document', 'docs/errors.md', ['test/error-docs.spec.ts']],
    ['a browser for a script', 'web/checkout/live.ts', ['test/browser/checkout-live.e2e-spec.ts']],
    ['what reads the schema', 'migrations/0002-read-history.ts', ['test/entities.e2e-spec.ts']],
    ['what uses support code', 'test/support/webhook-harness.ts', ['test/webhook-retries.e2e-spec.ts']],
    ['nothing for a file that nothing knows', 'LICENSE', []],
    ['nothing for a file that is gone and that nothing is called after', 'src/gone/away.ts', []],
  ])('are %s', (_what, changed, expected) => {
    const chosen = specsOf(changed);
    expect(chosen.slice(0, expected.length)).toEqual(expected);
    if (expected.length === 0) expect(chosen).toEqual([]);
  });

  it('are the test itself, and none that is like it', () => {
    expect(specsOf('test/unnamed.e2e-spec.ts')).toEqual(['test/unnamed.e2e-spec.ts']);
  });

  it('never are the screens, which take minutes', () => {
    expect(specsOf(...Object.keys(FILES)).filter((spec) => spec.startsWith('test/screens/'))).toEqual([]);
  });

  it('are the nearest of each changed file when there are too many', () => {
    const { chosen, left } = choose(['src/webhooks/schedule.pure.ts', 'src/rates/rates.service.ts'], {
      unit: 1,
      endToEnd: 1,
      browser: 0,
    });
    expect(chosen.map(({ spec }) => spec)).toEqual([
      'src/webhooks/schedule.pure.spec.ts',
      'test/direct.e2e-spec.ts',
    ]);
    expect(left).toBeGreaterThan(0);
  });

  it('say why, and which change led to none', () => {
    expect(choose(['src/webhooks/schedule.pure.ts', 'LICENSE'])).toMatchObject({
      chosen: [
        { reason: 'uses src/webhooks/schedule.pure.ts' },
        { reason: 'uses src/webhooks/schedule.pure.ts, 2 imports away' },
        { reason: 'is about the same as src/webhooks/schedule.pure.ts' },
      ],
      unknown: ['LICENSE'],
    });
  });
});
