import { describeGuards } from './support/guard-suite.js';
import { copy, OTHER_PAYMENT, PAYMENT, SEED } from './support/guarded-rows.js';

const ACCEPTED = `update payments set underpay_accepted_at = now(), received_amount = 60`;
const UNDO = 'update payments set underpay_accepted_at = null';
const of = (payment: string) => `where id = '${payment}'`;

describeGuards(
  {
    seed: `${SEED} ${ACCEPTED}, underpay_accepted_amount = 60 ${of(PAYMENT)};`,
    refused: [
      ...['NaN', '-1'].map((amount): [string, string, string] => [
        `an accepted amount of ${amount}`,
        `${ACCEPTED}, underpay_accepted_amount = '${amount}' ${of(OTHER_PAYMENT)}`,
        'payments_underpay_accepted_amount_check',
      ]),
      ...[59, 61].map((amount): [string, string, string] => [
        `an accepted amount that becomes ${amount}`,
        `update payments set underpay_accepted_amount = ${amount} ${of(PAYMENT)}`,
        'the amount that was accepted is fixed',
      ]),
      [
        'a payment that is born with an accepted amount',
        copy('payments', OTHER_PAYMENT, { underpay_accepted_amount: '60' }),
        'payments_accepted_amount_check',
      ],
    ],
    allowed: [
      ['an acceptance undone with its amount', `${UNDO}, underpay_accepted_amount = null ${of(PAYMENT)}`],
      ['more funds after the acceptance', `update payments set received_amount = 100 ${of(PAYMENT)}`],
      [
        'another amount, accepted after the first one was undone',
        `${UNDO} ${of(PAYMENT)}; ${ACCEPTED}, underpay_accepted_amount = 59 ${of(PAYMENT)}`,
      ],
    ],
  },
  (client) => {
    const amount = async (payment: string) => {
      const { rows } = await client().query<{ amount: string | null }>(
        `select underpay_accepted_amount as amount from payments ${of(payment)}`,
      );
      return rows[0]?.amount;
    };

    it('a trigger sets and clears the accepted amount when a statement changes only the time of the acceptance', async () => {
      await client().query(`${ACCEPTED} ${of(OTHER_PAYMENT)}`);
      expect(await amount(OTHER_PAYMENT)).toBe('60');
      await client().query(`update payments set received_amount = 70, acknowledged_at = now()`);
      expect(await amount(OTHER_PAYMENT)).toBe('60');
      await client().query(`${UNDO}, received_amount = 50 ${of(OTHER_PAYMENT)}`);
      expect(await amount(OTHER_PAYMENT)).toBeNull();
      await client().query(`update payments set underpay_accepted_at = now() ${of(OTHER_PAYMENT)}`);
      expect(await amount(OTHER_PAYMENT)).toBe('50');
    });
  },
);
