import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const DASHBOARD = path.resolve(import.meta.dirname, '..');

/** Writes that the same person can take back, or that change nothing which exists. All others are irreversible. */
const REVERSIBLE: Record<string, string> = {
  changePassword: 'takes the password itself',
  checkHealth: 'changes nothing',
  confirmTwoFactor: 'can be disabled',
  createClientToken: 'can be revoked',
  createInvitation: 'can be withdrawn',
  createOAuthClient: 'can be deleted',
  createPaymentApplication: 'can be deleted',
  deleteApplicationLogo: 'can be uploaded again',
  disableTwoFactor: 'takes the password, and can be enabled again',
  endOtherSessions: 'they sign in again',
  endSession: 'it signs in again',
  enrolTwoFactor: 'has no effect before it is confirmed',
  pauseWebhooks: 'can be resumed',
  putApplicationLogo: 'can be removed',
  redeliverWebhook: 'the same event again',
  regenerateRecoveryCodes: 'takes the password, and shows the new ones',
  replayWebhooks: 'the same events again',
  resumeWebhooks: 'can be paused',
  saveNotices: 'can be set again',
  sendTestNotice: 'a mail to oneself',
  testWebhook: 'is about no order',
  tryNode: 'changes nothing',
  updateAccount: 'can be set again',
  updateMember: 'can be set again',
  withdrawInvitation: 'can be invited again',
};

/** Settings are saved by a form and can be set again; only the new secret of secret.tsx is not one of them. */
const FORMS = ['applications/settings-form.tsx'];

interface Write {
  file: string;
  operation: string;
  /** What the component calls it. */
  name: string;
  source: string;
}

const writes: Write[] = readdirSync(DASHBOARD, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !FORMS.includes(file))
  .flatMap((file) => {
    const source = readFileSync(path.join(DASHBOARD, file), 'utf8');
    return [...source.matchAll(/const (\w+) = useWrite\('(\w+)'\)/g)].map(
      ([, name = '', operation = '']) => ({
        file,
        operation,
        name,
        source,
      }),
    );
  });
const irreversible = writes.filter(({ operation }) => !(operation in REVERSIBLE));

it('finds the writes of the dashboard', () => {
  expect(irreversible.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining([
      'acceptPayment',
      'cancelPayment',
      'cancelRefund',
      'completeRefund',
      'createRefund',
      'deletePaymentApplication',
      'endPreviousSecret',
      'removeMember',
      'revokeClientToken',
      'rotateOAuthClientSecret',
    ]),
  );
});

it('excuses no write that is not there', () => {
  const known = new Set(writes.map(({ operation }) => operation));
  expect(Object.keys(REVERSIBLE).filter((operation) => !known.has(operation))).toEqual([]);
});

/**
 * Confirm, TypedConfirm and Asked take the object and its figures, and write them into sentence and button; a form of
 * its own has them on its button by Act, and in bold above its fields.
 */
it.each(irreversible.map((write) => [write.operation, write.file, write] as const))(
  '%s in %s names its object in the sentence and on the button',
  (_operation, _file, { name, source }) => {
    expect(source).toMatch(/<(?:Confirm|TypedConfirm|Asked|Act act=)/);
    if (/<Act act=/.test(source)) expect(source).toMatch(/<strong>|<code>|data-figures/);
    // One press does not do it, unless that button itself says what.
    const pressed = new RegExp(`onPress=\\{\\(\\) =>[^;]{0,40}\\b${name}\\.mutate\\([^]*?</Button>`).exec(
      source,
    );
    if (pressed) expect(pressed[0]).toContain('<Act ');
  },
);

it('leaves every write to useWrite, which acts once for a double click', () => {
  const others = readdirSync(DASHBOARD, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) && /useMutation\b[(<]/.test(readFileSync(path.join(DASHBOARD, file), 'utf8')),
  );
  // Files that are downloaded, what a collection or a payout asks the chain, and views that are saved as a whole.
  expect(others.toSorted()).toEqual([
    'api/use-api.tsx',
    'funds/funds.queries.ts',
    'parts/export.tsx',
    'payments/payments.queries.ts',
    'refunds/one-psbt.tsx',
  ]);
});

it('leaves no question without its object', () => {
  const confirm = readFileSync(path.join(DASHBOARD, 'parts/lazy-dialog.tsx'), 'utf8');
  expect(confirm).toMatch(/what: string \| null;/);
  expect(confirm).toMatch(/<bdi>\{what !== null && <Figures>\{what\}<\/Figures>\}<\/bdi>/);
  expect(confirm).toMatch(/<Act act=\{confirm\} what=\{what\} \/>/);
});
