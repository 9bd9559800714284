import { type ReactNode, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { GatewayError } from '../../../sdk/src/errors.js';
import type { ExportId, Input } from '../api/api.js';
import type { Operations } from '../api/operations.js';
import { useApi } from '../api/use-api.js';
import { LOCALES } from '../i18n/locales.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from './button.js';
import { FILE_FORMATS, fileQuery, readersLocale } from './export.pure.js';
import { Pick } from './field.js';
import { Dialog } from './lazy-dialog.js';
import styles from './parts.module.css';
import { Failure } from './states.js';

interface ExportProps<K extends ExportId> {
  id: K;
  /** Of the file, without its ending. */
  name: string;
  query: Operations[K]['query'];
  /** What the file will contain, in words. */
  children: ReactNode;
}

/** A file of everything that the list shows, on all its pages. */
export function Export<K extends ExportId>({ children, ...file }: ExportProps<K>): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <T k="export.export" />
      </Button>
      {isOpen && (
        <Dialog title="export.export" onClose={() => setOpen(false)}>
          <p>{children}</p>
          <File {...file} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

type FileProps<K extends ExportId> = Omit<ExportProps<K>, 'children'> & { onClose: () => void };

function File<K extends ExportId>({ id, name, query, onClose }: FileProps<K>): ReactNode {
  const { text, locale } = useTexts();
  const [format, setFormat] = useState<keyof typeof FILE_FORMATS>('xlsx');
  const [language, setLanguage] = useState<string>(locale);
  const [by, setBy] = useState('created');
  const file = useFile(id);
  const { ending, isForPeople } = FILE_FORMATS[format];
  const filters: object = query ?? {};
  const timed = id === 'exportPayments' ? { ...filters, by } : filters;
  return (
    <>
      <Pick
        label="export.format"
        value={format}
        options={Object.entries(FILE_FORMATS).map(([key, { word: name }]) => [key, text(name)])}
        onChange={(value) => value in FILE_FORMATS && setFormat(value as keyof typeof FILE_FORMATS)}
      />
      {isForPeople && <Language value={language} onChange={setLanguage} />}
      {id === 'exportPayments' && (
        <Pick
          label="export.by"
          value={by}
          options={[
            ['created', text('export.by-created')],
            ['paid', text('export.by-paid')],
          ]}
          onChange={setBy}
        />
      )}
      {file.error && <Failure error={file.error} />}
      <p role="status">{file.isSuccess && <T k="export.done" />}</p>
      <div className={styles['actions']}>
        <Button
          kind="first"
          isPending={file.isPending}
          onPress={() =>
            file.mutate({
              query: { ...timed, ...fileQuery(format, readersLocale(language, navigator.languages), zone()) },
              name: `${name}.${ending}`,
            })
          }
        >
          <T k="export.save" />
        </Button>
        <Button onPress={onClose}>
          <T k="dialog.back" />
        </Button>
      </div>
    </>
  );
}

/** Of the heads of columns, and of the spreadsheet that opens the file. */
export function Language({
  value,
  onChange,
}: {
  value: string;
  onChange: (language: string) => void;
}): ReactNode {
  return (
    <Pick
      label="nav.language"
      value={value}
      options={LOCALES.map((one) => [one, new Intl.DisplayNames(one, { type: 'language' }).of(one) ?? one])}
      onChange={onChange}
    />
  );
}

/** The reader's own time zone. */
export const zone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Saves a file of the API under a name. */
export function useFile<K extends ExportId>(id: K) {
  const api = useApi();
  return useMutation<void, GatewayError, { query: object; name: string }>({
    mutationFn: async ({ query, name }) =>
      save(await api.download(id, { query } as unknown as Input<K>), name),
  });
}

/** Hands a file to the browser. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
