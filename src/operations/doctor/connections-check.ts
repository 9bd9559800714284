import type { Config } from '../../config.js';
import { openFilesLimit } from '../../platform/web/http/connection-limits.js';
import { type Finding, Subject } from './finding.js';

/** Whether the process may open enough files for its clients, and for its own connections beside them. */
export function checkConnections({ total }: Config['connections'], openFiles = openFilesLimit()): Finding {
  const about = new Subject('connections');
  if (openFiles === null) return about.ok(`up to ${total} clients; the limit of open files is unknown`);
  return total * 2 > openFiles
    ? about.warning(
        `MAX_CONNECTIONS is ${total}, and a process may open ${openFiles} files: only half of them are for clients`,
        'raise the limit (LimitNOFILE= of systemd, ulimits of compose), or lower MAX_CONNECTIONS',
      )
    : about.ok(`up to ${total} clients, and ${openFiles} open files`);
}
