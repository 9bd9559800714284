import { createContext, type ReactNode, use } from 'react';
import type { Message, MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import parts from './parts.module.css';

/** What a column is. Where there is no room for columns, all others stand below their names. */
interface Column extends Message {
  /** Title and state of a row say by themselves what they are, and so do buttons, whose name is for screen readers alone. */
  is?: 'title' | 'state' | 'acts' | 'figure';
}

const Columns = createContext<readonly Column[]>([]);

interface TableProps {
  caption: MessageKey;
  columns: readonly Column[];
  /** The rows of the question before. */
  isOld?: boolean;
  children: ReactNode;
}

/** A list with named columns; beside the navigation, and on a phone, a list of cards. */
export function Table({ caption, columns, isOld = false, children }: TableProps): ReactNode {
  return (
    <table className={parts['table']} aria-busy={isOld}>
      <caption className={parts['unseen']}>
        <T k={caption} />
      </caption>
      <thead>
        <tr>
          {columns.map(({ key, values, is }) => (
            <th key={key} scope="col" className={is === 'figure' ? parts['end'] : undefined}>
              <span className={is === 'acts' ? parts['unseen'] : undefined}>
                <T k={key} {...(values && { values })} />
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Columns value={columns}>{children}</Columns>
      </tbody>
    </table>
  );
}

/** @param cells one for each column */
export function Row({ cells, isBusy }: { cells: readonly ReactNode[]; isBusy?: boolean }): ReactNode {
  const { text } = useTexts();
  return (
    <tr aria-busy={isBusy}>
      {use(Columns).map(({ key, values, is }, index) => (
        <td
          key={key}
          className={is === 'figure' ? parts['end'] : undefined}
          {...(is === undefined || is === 'figure'
            ? { 'data-column': text(key, values) }
            : { 'data-is': is })}
        >
          {cells[index]}
        </td>
      ))}
    </tr>
  );
}
