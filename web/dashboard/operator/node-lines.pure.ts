/** What is copied to use a node. */
export interface NodeLines {
  /** Of the settings. */
  setting: string;
  /** Of an installed server; null: it takes no such address. */
  command: string | null;
}

/** Nothing that a shell, compose or systemd would read as anything but itself. */
const PLAIN = /^[\w:/.@?=&%+,~-]+$/;
/** A shell would end the word at these. */
const BARE_IN_SHELL = /^[\w:/.@=%+,-]+$/;

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function nodeLines(slug: string, source: 'node' | 'esplora', address: string): NodeLines {
  const name = `CHAIN_${slug.toUpperCase().replaceAll('-', '_')}_${source === 'node' ? 'RPC' : 'ESPLORA'}_URL`;
  // In the settings a quote inside of quotes has no form that all readers share; in an address it is %27.
  const encoded = address.replaceAll("'", '%27');
  return {
    setting: `${name}=${PLAIN.test(encoded) ? encoded : quoted(encoded)}`,
    command:
      source === 'node'
        ? `payment-gateway set-node ${slug} ${BARE_IN_SHELL.test(address) ? address : quoted(address)}`
        : null,
  };
}
