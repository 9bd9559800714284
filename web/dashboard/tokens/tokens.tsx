import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { ClientToken, PaymentApplication } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { OfApplication } from '../applications/application-pick.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure, Loaded } from '../parts/states.js';
import { Row, Table } from '../parts/table.js';
import { When } from '../parts/when.js';
import { Allowed } from '../people/allowed.js';
import { Screen } from '../shell/screen.js';
import { isUnused } from './examples.pure.js';
import { TokenDialog } from './token-dialog.js';
import { useTokens } from './tokens.queries.js';

export default function Tokens(): ReactNode {
  const { text } = useTexts();
  return (
    <Screen title={text('nav.tokens')}>
      <OfApplication>
        {(application) => <TokensOf key={application.id} application={application} />}
      </OfApplication>
    </Screen>
  );
}

/** The client tokens of one application. */
export function TokensOf({ application }: { application: PaymentApplication }): ReactNode {
  const [isCreating, setCreating] = useState(false);
  const tokens = useTokens(application.id);
  return (
    <section className={parts['card']}>
      <div className={parts['title']}>
        <h2>
          <bdi>{application.name}</bdi>
        </h2>
        <Allowed to="createClientToken" isExplained>
          <Button kind="first" onPress={() => setCreating(true)}>
            <T k="tokens.create" />
          </Button>
        </Allowed>
      </div>
      <Loaded query={tokens} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={parts['hint']}>
              <T k="tokens.none" />
            </p>
          ) : (
            <TokenTable tokens={data} />
          )
        }
      </Loaded>
      {isCreating && <TokenDialog application={application} onClose={() => setCreating(false)} />}
    </section>
  );
}

const COLUMNS = [
  { key: 'tokens.label', is: 'title' },
  { key: 'tokens.scopes' },
  { key: 'tokens.used' },
  { key: 'tokens.expires' },
  { key: 'payments.status', is: 'state' },
] as const;

function TokenTable({ tokens }: { tokens: readonly ClientToken[] }): ReactNode {
  return (
    <Table caption="nav.tokens" columns={COLUMNS}>
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </Table>
  );
}

function TokenRow({ token }: { token: ClientToken }): ReactNode {
  const { text } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const revoke = useWrite('revokeClientToken');
  const path = { id: token.paymentApplicationId, tokenId: token.id };
  return (
    <Row
      cells={[
        <>
          <strong>
            <bdi>{token.label}</bdi>
          </strong>
          <div className={parts['hint']}>
            <code>{token.tokenPrefix}…</code>
          </div>
        </>,
        <code>{token.scopes.join(' ')}</code>,
        <Used token={token} />,
        token.expiresAt === null ? text('tokens.never') : <When at={token.expiresAt} />,
        <>
          {token.revokedAt === null ? (
            <Allowed to="revokeClientToken">
              <Button
                kind="danger"
                aria-label={text('tokens.revoke-named', { label: token.label })}
                onPress={() => setAsking(true)}
              >
                <T k="tokens.revoke" />
              </Button>
            </Allowed>
          ) : (
            <Pill tone="idle">
              <T k="tokens.revoked" />
            </Pill>
          )}
          {isAsking && (
            <Confirm
              title="tokens.revoke"
              what={token.label}
              text={text('tokens.revoke-question', { label: token.label })}
              confirm="tokens.revoke"
              isDanger
              isPending={revoke.isPending}
              failure={revoke.error && <Failure error={revoke.error} />}
              onConfirm={() => revoke.mutate({ path }, { onSuccess: () => setAsking(false) })}
              onClose={() => setAsking(false)}
            />
          )}
        </>,
      ]}
    />
  );
}

/** When it was used last, whether that is long ago, and what it has asked. */
function Used({ token }: { token: ClientToken }): ReactNode {
  const { text } = useTexts();
  const { id, label, lastUsedAt } = token;
  return (
    <>
      {lastUsedAt === null ? <T k="tokens.never-used" /> : <When at={lastUsedAt} />}
      {isUnused(token, new Date()) && (
        <div>
          <Pill tone="warn">
            <T k="tokens.unused" />
          </Pill>
        </div>
      )}
      <div className={parts['hint']}>
        <Link to={`/requests?token=${id}`} aria-label={`${text('nav.requests')}: ${label}`}>
          <T k="nav.requests" />
        </Link>
      </div>
    </>
  );
}
