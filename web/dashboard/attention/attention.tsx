import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { AttentionItem } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Chip, Chips } from '../parts/chips.js';
import { CursorPages } from '../parts/pages.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure, Loaded, Skeleton } from '../parts/states.js';
import { ATTENTION_WORDS } from '../payments/attention-words.pure.js';
import { useApplications, useAttentionCounts, useNetworks } from '../payments/payments.queries.js';
import { Screen } from '../shell/screen.js';
import { ATTENTION_KINDS, ATTENTION_TONES, readKinds } from './attention.pure.js';
import { useAttention } from './attention.queries.js';
import { PaidLate } from '../payment/paid-late.js';
import { useRefunds } from '../payment/payment.queries.js';
import { RefundFacts } from '../refunds/one-refund.js';
import { Stopped } from '../payment/stopped.js';
import { familiesOf } from '../wallets/families.pure.js';
import { GapLimit } from '../wallets/gap-limit.js';
import { Remedies } from './remedies.js';
import { Figures } from '../parts/figures.js';

export default function Attention(): ReactNode {
  const { text } = useTexts();
  const [query, setQuery] = useSearchParams();
  const kinds = readKinds(query);
  const items = useAttention(kinds, query.get('after') ?? '');
  return (
    <Screen title={text('nav.attention')}>
      <KindChips />
      <Loaded query={items} isList>
        {({ data, meta }) =>
          data.length > 0 ? (
            <div aria-busy={items.isPlaceholderData} className={parts['stack']}>
              <ul className={parts['stack']}>
                {data.map((item) => (
                  <li key={keyOf(item)} className={parts['card']}>
                    <Item item={item} />
                  </li>
                ))}
              </ul>
              <CursorPages cursor={meta.cursor} />
            </div>
          ) : (
            <div className={parts['note']} data-tone={kinds.length === 0 ? 'good' : undefined}>
              <p>
                <Nothing isFiltered={kinds.length > 0} at={items.dataUpdatedAt} />
              </p>
              {kinds.length > 0 && (
                <div className={parts['actions']}>
                  <Button onPress={() => setQuery({})}>
                    <T k="payments.clear" />
                  </Button>
                </div>
              )}
            </div>
          )
        }
      </Loaded>
    </Screen>
  );
}

/** Those that there is something of. */
function KindChips(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const counts = useAttentionCounts();
  const kinds = readKinds(query);
  const countOf = (kind: (typeof ATTENTION_KINDS)[number]) =>
    counts.data?.data.find((one) => one.kind === kind)?.count ?? 0;
  const shown = ATTENTION_KINDS.filter((kind) => kinds.includes(kind) || countOf(kind) > 0);
  return (
    <>
      {counts.error && <Failure error={counts.error} onRetry={() => void counts.refetch()} />}
      {shown.length > 0 && (
        <Chips label="attention.kinds">
          <Chip name="payments.all" isOn={kinds.length === 0} onPress={() => setQuery({})} />
          {shown.map((kind) => (
            <Chip
              key={kind}
              name={ATTENTION_WORDS[kind]}
              count={countOf(kind)}
              isOn={kinds.includes(kind)}
              onPress={() => {
                const others = kinds.filter((one) => one !== kind);
                const next = kinds.includes(kind) ? others : [...others, kind];
                setQuery(next.length > 0 ? { kind: next.join(',') } : {});
              }}
            />
          ))}
        </Chips>
      )}
    </>
  );
}

function Nothing({ isFiltered, at }: { isFiltered: boolean; at: number }): ReactNode {
  const { time } = useTexts();
  if (isFiltered) return <T k="attention.no-match" />;
  return <T k="attention.none" values={{ time: time(new Date(at).toISOString()) }} />;
}

function Item({ item }: { item: AttentionItem }): ReactNode {
  const { time } = useTexts();
  return (
    <>
      <Pill tone={ATTENTION_TONES[item.kind]}>
        <T k={ATTENTION_WORDS[item.kind]} />
      </Pill>{' '}
      <Subject item={item} />
      <div className={parts['hint']}>
        <T k="attention.since" values={{ time: time(item.since) }} />
      </div>
      {item.payment && item.endedAt !== null && (
        <p>
          <PaidLate ordered={item.payment.date} ended={item.endedAt} paid={item.since} />
        </p>
      )}
      {item.payment && item.refundId !== null && (
        <OfRefund paymentId={item.payment.id} refundId={item.refundId} />
      )}
      {item.kind === 'integrity' && item.payment && <Stopped paymentId={item.payment.id} />}
      {item.kind === 'key_shared' && <Strays item={item} />}
      {item.wallet && <Gap item={item} wallet={item.wallet} />}
      {item.kind === 'unlisted_token' ? <Tokens item={item} /> : item.sums && <Sums sums={item.sums} />}
      <Remedies item={item} />
    </>
  );
}

/** The payment, the application or the network that it is about. */
function Subject({ item }: { item: AttentionItem }): ReactNode {
  const { nameOf } = useNetworks();
  const applications = useApplications().data?.data ?? [];
  const application = applications.find(({ id }) => id === item.paymentApplicationId);
  const { payment, blockchain } = item;
  return (
    <>
      {payment && (
        <>
          <Link to={`/payments/${payment.id}`}>
            <bdi className={parts['whole']}>{payment.reference}</bdi>
          </Link>{' '}
          {item.otherPaymentId !== null && (
            <Link to={`/payments/${item.otherPaymentId}`}>
              <T k="attention.other" />
            </Link>
          )}{' '}
        </>
      )}
      {blockchain !== null && <bdi>{nameOf(blockchain)}</bdi>}
      {/* Of a payment only where there are several. */}
      {application && (!payment || applications.length > 1) && (
        <span className={parts['hint']}>
          <bdi>{application.name}</bdi>
        </span>
      )}
    </>
  );
}

/** What would be sent where: whoever decides about a refund decides about these. */
function OfRefund({ paymentId, refundId }: { paymentId: string; refundId: string }): ReactNode {
  const refunds = useRefunds(paymentId);
  const refund = refunds.data?.data.find(({ id }) => id === refundId);
  return (
    <>
      {refunds.error && <Failure error={refunds.error} onRetry={() => void refunds.refetch()} />}
      {refund ? <RefundFacts refund={refund} /> : refunds.isPending && <Skeleton rows={1} />}
    </>
  );
}

/** Contracts and units; a name is chosen by whoever made the token, and nothing leads to it. */
function Tokens({ item }: { item: AttentionItem }): ReactNode {
  const { nameOf } = useNetworks();
  return (
    <>
      <p>
        <T k="attention.unlisted-text" />
      </p>
      <ul>
        {item.tokens.map(({ blockchain, contract, amount, txHash }) => (
          <li key={txHash} className={parts['hint']}>
            <code dir="ltr">{contract}</code> · <bdi>{nameOf(blockchain)}</bdi> ·{' '}
            <T k="attention.units" values={{ amount }} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** What another program was paid with addresses of the key, and where the key is exchanged. */
function Strays({ item }: { item: AttentionItem }): ReactNode {
  const { money } = useTexts();
  const { nameOf } = useNetworks();
  const { paymentApplicationId: id } = item;
  return (
    <>
      <p>
        <T k="attention.key-shared-text" />
      </p>
      <ul className={parts['stack']}>
        {item.strays.map(({ blockchain, address, derivationIndex, amount, txHash }) => (
          <li key={`${txHash} ${address}`}>
            <Figures>{money(amount)}</Figures> · <bdi>{nameOf(blockchain)}</bdi> ·{' '}
            <T k="attention.stray-number" values={{ index: String(derivationIndex) }} />
            <div className={parts['hint']}>
              <code dir="ltr">{address}</code>
            </div>
          </li>
        ))}
      </ul>
      <ToWallets applicationId={id} />
    </>
  );
}

/** Of which key, what to set in the wallet program, and where that is said. */
function Gap({
  item,
  wallet,
}: {
  item: AttentionItem;
  wallet: NonNullable<AttentionItem['wallet']>;
}): ReactNode {
  const { locale } = useTexts();
  const family = familiesOf(useNetworks().networks).find((one) => one.family === wallet.family);
  return (
    <>
      <p>
        <bdi>{new Intl.ListFormat(locale).format(family?.names ?? [wallet.family])}</bdi>
      </p>
      <GapLimit applicationId={item.paymentApplicationId} {...wallet} />
      <ToWallets applicationId={item.paymentApplicationId} />
    </>
  );
}

function ToWallets({ applicationId }: { applicationId: string | null }): ReactNode {
  return (
    <div className={parts['actions']}>
      <Link to={applicationId === null ? '/wallets' : `/applications/${applicationId}/wallets`}>
        <T k="attention.to-wallets" />
      </Link>
    </div>
  );
}

/** What was asked, what came, and what is too much: in the currency of the order, and in the coins that came. */
function Sums({ sums }: { sums: NonNullable<AttentionItem['sums']> }): ReactNode {
  const { money } = useTexts();
  const { nameOf } = useNetworks();
  const { asked, received, excess, coins } = sums;
  const rows = [
    ['money.price', asked, coins.map((coin) => coin.asked)],
    ['money.received', received, coins.map((coin) => coin.received)],
    ['money.over', excess, coins.map((coin) => coin.excess)],
  ] as const;
  return (
    <dl className={parts['sums']}>
      {rows.map(
        ([name, amount, ofCoins]) =>
          amount && (
            <div key={name}>
              <dt>
                <T k={name} />
              </dt>
              <dd>
                <Figures>{money(amount)}</Figures>
                {coins.map(({ blockchain }, at) => {
                  const inCoin = ofCoins[at];
                  return (
                    inCoin && (
                      <div key={`${blockchain} ${inCoin.currency.code}`} className={parts['hint']}>
                        <bdi>
                          {money(inCoin) !== money(amount) && (
                            <>
                              <Figures>{money(inCoin)}</Figures> ·{' '}
                            </>
                          )}
                          {nameOf(blockchain)}
                        </bdi>
                      </div>
                    )
                  );
                })}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

function keyOf({ kind, payment, refundId, paymentApplicationId, blockchain }: AttentionItem): string {
  return [kind, payment?.id, refundId, paymentApplicationId, blockchain].join(' ');
}
