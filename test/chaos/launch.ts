import { connect } from 'node:net';
import path from 'node:path';

/** How a process of the program is started. */
export interface Launch {
  /** Folder with the `dist` that runs. */
  root: string;
  /** Of node. */
  args: readonly string[];
}

export const FAILPOINT_HOOK = path.resolve(import.meta.dirname, 'failpoint-hook.mjs');

/** As an operator starts it, but for the hook that a failpoint calls. */
export function plainLaunch(root: string): Launch {
  return { root, args: ['--import', FAILPOINT_HOOK, path.join(root, 'dist/src/main.js')] };
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
