import { type ReactNode, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { CursorPages } from '../parts/pages.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { UserRow } from './user-row.js';

const COLUMNS = [
  { key: 'account.email', is: 'title' },
  { key: 'payments.status', is: 'state' },
  { key: 'nav.applications' },
  { key: 'users.last' },
  { key: 'users.actions', is: 'acts' },
] as const;

/** The users of the gateway. The search is the address of the screen. */
export function Users(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const search = useRef<HTMLInputElement>(null);
  const [email, after] = [query.get('email') ?? '', query.get('after') ?? ''];
  const users = useRead('listUsers', { query: { ...(email && { email }), ...(after && { after }) } });
  return (
    <section className={parts['card']}>
      <form
        role="search"
        className={parts['filters']}
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = search.current?.value.trim() ?? '';
          // Another search begins with the newest again.
          setQuery(wanted === '' ? {} : { email: wanted });
        }}
      >
        <label className={parts['field']}>
          <strong>
            <T k="users.find" />
          </strong>
          <input
            key={email}
            ref={search}
            type="search"
            dir="ltr"
            maxLength={254}
            autoCapitalize="none"
            defaultValue={email}
          />
        </label>
        <Button type="submit">
          <T k="payments.find" />
        </Button>
      </form>
      <Loaded query={users}>
        {({ data, meta }) => (
          <>
            {data.length === 0 ? (
              <p className={parts['note']}>
                <T k="users.none" />
              </p>
            ) : (
              <Table caption="operator.users" columns={COLUMNS} isOld={users.isPlaceholderData}>
                {data.map((user) => (
                  <UserRow key={user.id} user={user} />
                ))}
              </Table>
            )}
            <CursorPages cursor={meta.cursor} />
          </>
        )}
      </Loaded>
    </section>
  );
}
