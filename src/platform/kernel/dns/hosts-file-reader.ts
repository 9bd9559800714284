import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { type Hosts, parseHosts } from './hosts-file.pure.js';

/** The current hosts file: each lookup checks its modification time, and reads it again when that has changed. */
export class HostsFile {
  private version = '';
  private hosts: Hosts = new Map();

  constructor(private readonly path = '/etc/hosts') {}

  addressesOf(hostname: string): LookupAddress[] {
    this.refresh();
    const addresses = this.hosts.get(hostname.toLowerCase()) ?? [];
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }

  /** Synchronous: the file is small and local, and the thread pool may be what is blocked. */
  private refresh(): void {
    try {
      const { ino, size, mtimeNs } = statSync(this.path, { bigint: true });
      const version = [ino, size, mtimeNs].join(' ');
      if (version === this.version) return;
      this.hosts = parseHosts(readFileSync(this.path, 'utf8'));
      this.version = version;
    } catch {
      // As in the system's resolver, an unreadable file lists no hosts.
      this.hosts = new Map();
      this.version = '';
    }
  }
}
