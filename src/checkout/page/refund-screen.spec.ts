import type { ReturnableFundsContract } from '../../refunds/refund-request.contract.js';
import { INSTRUCTIONS, UNMATCHED, viewOf } from '../../../test/support/payment-view.js';
import { endedScreen } from './ended-screens.js';
import { paidScreen } from './outcome-screens.js';
import { payScreen } from './pay-screen.js';
import type { PaymentView, Screen } from './screen.js';

const [{ amount: BNB }] = UNMATCHED.arrived as [(typeof UNMATCHED.arrived)[number]];
const TRANSFER = '0190f3c2-6d1e-7b3a-9c4f-2f1e6a7b8c9d';

function refundOf(
  status: ReturnableFundsContract['status'],
  claimUrl: string | null,
): ReturnableFundsContract {
  return {
    type: 'UNEXPECTED',
    transferId: TRANSFER,
    amount: null,
    payoutAmount: BNB,
    blockchain: { slug: 'bsc', name: 'BNB Smart Chain', chainId: 56, testnet: false },
    token: null,
    status,
    claimUrl,
    txHash: null,
    explorerUrl: null,
  } as unknown as ReturnableFundsContract;
}

const CLAIM = 'https://pay.example/refund/0190f3c2-6d1e-7b3a-9c4f-2f1e6a7b8c9e?expires=1&signature=2';

function viewWith(
  status: ReturnableFundsContract['status'],
  claimUrl: string | null = CLAIM,
  changes: Partial<PaymentView> = {},
): PaymentView {
  const view = viewOf('OPEN', changes);
  view.status.returnable = [refundOf(status, claimUrl)];
  return view;
}

/** Without the isolation of amounts and names, and with plain spaces. */
const text = (screen: Screen) => screen.body.text.replace(/<\/?bdi[^>]*>/g, '').replace(/\s+/g, ' ');

describe('what was sent on the wrong network is on its way back', () => {
  it.each<
    [status: ReturnableFundsContract['status'], claimUrl: string | null, words: string, act: string | null]
  >([
    ['AWAITING_ADDRESS', CLAIM, 'My Store needs your address.', 'Enter your address'],
    ['AWAITING_PAYMENT', CLAIM, 'My Store has your address and can now send', 'Track this refund'],
    ['PROCESSING', CLAIM, 'is on its way back to you.', 'Track this refund'],
    ['FAILED', CLAIM, 'My Store has your address and can now send', 'Track this refund'],
    ['AWAITING_ADDRESS', null, 'My Store will refund 5 BNB on BNB Smart Chain.', null],
  ])('%s: the refund comes first, and the order can be paid below it', (status, claimUrl, words, act) => {
    const screen = payScreen(viewWith(status, claimUrl), INSTRUCTIONS, true);
    const page = text(screen);
    const [first = '', folded = ''] = page.split('<details class="fold" id="fold-pay">');
    expect(first).toContain('<strong>We see 5 BNB on BNB Smart Chain</strong>');
    expect(first).toContain('<span>Your refund</span></h1>');
    expect(first).toContain(words);
    if (act === null) expect(first).not.toMatch(/href="[^"]*\/refund\//);
    else expect(first).toContain(act);
    expect(first).toContain('This order isn’t paid yet.');
    // Neither ticket nor clock, nor advice to choose what was chosen.
    expect(first).not.toMatch(/data-ends|data-copy|role="img"|accept it or send it back/);
    expect(folded).toMatch(/<summary><span>Pay again, ETH on Ethereum<\/span>/);
    expect(folded).toContain('data-copy="0.05"');
    expect(folded).toContain('data-ends');
    expect(page.match(/<h1/g)).toHaveLength(1);
    expect(screen).toMatchObject({ name: 'refund-under-way', title: 'Your refund', method: 'ethereum/eth' });
  });

  it('is no news of another transfer, whose choices stay', () => {
    const page = text(payScreen(viewWith('PROCESSING', CLAIM, { unmatched: UNMATCHED }), INSTRUCTIONS, true));
    expect(page).toContain('is on its way back to you.');
    expect(page).toContain('accept it or send it back');
  });

  it('asks for a new price below it once the price has ended', () => {
    const page = text(payScreen(viewWith('PROCESSING'), { ...INSTRUCTIONS, secondsRemaining: 0 }, true));
    expect(page.indexOf('This price has expired.')).toBeGreaterThan(page.indexOf('id="fold-pay"'));
    expect(page).not.toMatch(/data-ends|data-copy/);
  });

  it('stays after the end of the link, without a way to pay', () => {
    const screen = endedScreen(viewWith('AWAITING_ADDRESS', CLAIM, { access: 'look' }));
    expect(screen.name).toBe('refund-under-way');
    expect(text(screen)).toContain('Enter your address');
    expect(text(screen)).not.toMatch(/fold-pay|isn’t paid yet/);
  });

  it.each(['COMPLETED', 'CANCELLED'] as const)('%s: the pay screen is back', (status) => {
    const screen = payScreen(viewWith(status), INSTRUCTIONS, true);
    expect(screen.name).toBe('pay');
    expect(text(screen)).not.toContain('fold-pay');
  });

  it('keeps a paid page open', () => {
    const view = viewWith('AWAITING_ADDRESS');
    Object.assign(view.status, { status: 'CONFIRMED', redirectUrl: 'https://shop.example/' });
    expect(text(paidScreen(view))).not.toContain('id="return"');
    view.status.returnable = [];
    expect(text(paidScreen(view))).toContain('id="return"');
  });
});
