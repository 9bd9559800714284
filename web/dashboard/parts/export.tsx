import { type ReactNode, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { GatewayError } from '../../../sdk/src/errors.js';
import type { ExportId, Input } from '../api/api.js';
import type { Operations } from '../api/operations.js';
import { useApi } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import { Button } from './button.js';
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

const FORMATS = ['csv', 'jsonl'] as const;

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
          <Formats {...file} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

type FormatsProps<K extends ExportId> = Omit<ExportProps<K>, 'children'> & {
  onClose: () => void;
};

function Formats<K extends ExportId>({ id, name, query, onClose }: FormatsProps<K>): ReactNode {
  const api = useApi();
  const file = useMutation<void, GatewayError, (typeof FORMATS)[number]>({
    mutationFn: async (format) => {
      const input = { query: { ...query, format } } as unknown as Input<K>;
      save(await api.download(id, input), `${name}.${format}`);
    },
  });
  return (
    <>
      {file.error && <Failure error={file.error} />}
      <p role="status">{file.isSuccess && <T k="export.done" />}</p>
      <div className={styles['actions']}>
        {FORMATS.map((format, index) => (
          <Button
            key={format}
            kind={index === 0 ? 'first' : 'plain'}
            isPending={file.isPending && file.variables === format}
            onPress={() => file.mutate(format)}
          >
            <T k={format === 'csv' ? 'export.csv' : 'export.jsonl'} />
          </Button>
        ))}
        <Button onPress={onClose}>
          <T k="dialog.back" />
        </Button>
      </div>
    </>
  );
}

/** Hands a file to the browser. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
