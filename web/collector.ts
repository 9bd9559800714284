import {
  type Collection,
  CollectionError,
  deployFactoryCall,
  prepareExport,
  safeBatchOf,
  type UnsignedCall,
} from '../sdk/src/derivation.js';

/* The page that collects deposits without the gateway, alone in one file (scripts/build-web.mjs). */

/** EIP-1193, what a wallet puts into pages. */
interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}
declare global {
  interface Window {
    ethereum?: Provider;
  }
}

const MAX_REFUSED = 20;

const field = (id: string): HTMLInputElement | HTMLTextAreaElement => {
  const element = document.getElementById(id);
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element;
  throw new Error(`no field ${id}`);
};
const valueOf = (id: string): string => field(id).value.trim();
const place = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
};

function say(element: HTMLElement, answer: 'yes' | 'no' | '', text: string): void {
  element.dataset['answer'] = answer;
  element.textContent = text;
}

function make(name: string, text = '', ...children: HTMLElement[]): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  element.append(...children);
  return element;
}

function button(text: string, act: () => Promise<void> | void): HTMLElement {
  const element = make('button', text);
  element.setAttribute('type', 'button');
  element.addEventListener('click', () => {
    element.toggleAttribute('disabled', true);
    void Promise.resolve(act()).finally(() => element.toggleAttribute('disabled', false));
  });
  return element;
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** A transaction, its data to copy, and a button where there is a wallet. */
function section(title: string, about: string[], call: UnsignedCall, treasury: string | null): HTMLElement {
  const status = make('p');
  status.setAttribute('role', 'status');
  const data = document.createElement('textarea');
  data.readOnly = true;
  data.rows = 3;
  data.value = call.data;
  data.setAttribute('aria-label', `Data: ${title}`);
  data.addEventListener('focus', () => data.select());
  const { ethereum } = window;
  const buttons = ethereum
    ? [button('Send with wallet', async () => send(ethereum, call, treasury, status))]
    : [make('p', 'No wallet in this browser: hand the data to one, with value 0.')];
  return make(
    'section',
    '',
    make('h2', title),
    ...about.map((line) => make('p', line)),
    make('p', `To ${call.to}, value 0, data:`),
    data,
    ...buttons,
    status,
  );
}

/** Tries it first: what would fail is not sent. */
async function send(
  wallet: Provider,
  call: UnsignedCall,
  treasury: string | null,
  status: HTMLElement,
): Promise<void> {
  say(status, '', '');
  try {
    const accounts = await wallet.request({ method: 'eth_requestAccounts' });
    const from = Array.isArray(accounts) ? String(accounts[0] ?? '') : '';
    const chainId = Number(await wallet.request({ method: 'eth_chainId' }));
    if (chainId !== Number(valueOf('chain'))) {
      return say(status, 'no', `The wallet is on chain ${chainId}: switch it to chain ${valueOf('chain')}.`);
    }
    const codeOf = async (address: string) =>
      wallet.request({ method: 'eth_getCode', params: [address, 'latest'] });
    if ((await codeOf(call.to)) === '0x')
      return say(status, 'no', `There is no contract at ${call.to} on this chain: deploy it first (below).`);
    const isOwner = from.toLowerCase() === treasury?.toLowerCase();
    if (treasury !== null && !isOwner && (await codeOf(from)) !== '0x') {
      const why = 'is a smart account, and only plain accounts and the treasury may collect: choose another';
      return say(status, 'no', `${from} ${why}.`);
    }
    const transaction = { from, ...call };
    await wallet.request({ method: 'eth_estimateGas', params: [transaction] });
    const hash = await wallet.request({ method: 'eth_sendTransaction', params: [transaction] });
    say(status, 'yes', `Sent: ${String(hash)}`);
  } catch (error) {
    const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
    say(status, 'no', `Not sent: ${String(message)}`);
  }
}

function download(name: string, content: object): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Of one file, which the Safe runs as one transaction: about 15 million gas, which every chain has room for. */
const MAX_CALLS = 3;

/** Files for each treasury: a Safe signs for itself alone. */
function safeFiles(collections: readonly Collection[]): HTMLElement[] {
  const chainId = Number(valueOf('chain'));
  const safes = [...new Set(collections.map(({ treasury }) => treasury.address))];
  return safes.flatMap((safe) => {
    const calls = collections.filter(({ treasury }) => treasury.address === safe).map(({ call }) => call);
    const files = Math.ceil(calls.length / MAX_CALLS);
    return Array.from({ length: files }, (_, i) => {
      const part = files > 1 ? ` (${i + 1} of ${files})` : '';
      return button(`Save for the Safe ${safe.slice(0, 8)}…${part}`, () => {
        const some = calls.slice(i * MAX_CALLS, (i + 1) * MAX_CALLS);
        const name = `Collect deposits${part}`;
        const batch = safeBatchOf({ chainId, safe, name, createdAt: Date.now(), calls: some });
        download(`collect-${chainId}-${safe}-${i + 1}.json`, batch);
      });
    });
  });
}

function show(
  collections: readonly Collection[],
  refused: readonly { row: number; address: string; reason: string }[],
): void {
  const deposits = collections.reduce((sum, one) => sum + one.deposits.length, 0);
  const text = `${count(deposits, 'deposit address', 'deposit addresses')} in ${count(collections.length, 'transaction')}; ${count(refused.length, 'row')} refused.`;
  say(place('result'), refused.length > 0 ? 'no' : 'yes', text);
  const parts: HTMLElement[] = [];
  if (refused.length > 0) {
    const rows = refused
      .slice(0, MAX_REFUSED)
      .map(({ row, address, reason }) => make('li', `Row ${row}, ${address || 'no address'}: ${reason}`));
    if (refused.length > MAX_REFUSED) rows.push(make('li', `and ${refused.length - MAX_REFUSED} more`));
    const list = make(
      'section',
      '',
      make('h2', 'Nothing is collected from these rows'),
      make('ul', '', ...rows),
    );
    list.className = 'refused';
    parts.push(list);
  }
  collections.forEach(({ treasury, deposits: some, tokens, call }, i) => {
    const indexes = some.map(({ index }) => index);
    const range = `index ${indexes[0]}${indexes.length > 1 ? ` to ${indexes.at(-1)}` : ''}`;
    const about = [
      `${count(some.length, 'deposit address', 'deposit addresses')} (${range}) of treasury ${treasury.address}`,
      tokens.length > 0 ? `The coin, and tokens ${tokens.join(', ')}` : 'The coin',
    ];
    parts.push(section(`Transaction ${i + 1} of ${collections.length}`, about, call, treasury.address));
  });
  if (collections.length > 0) {
    parts.push(
      make(
        'section',
        '',
        make('h2', 'The treasury is a Safe'),
        make(
          'p',
          'One signature for up to 300 deposits: open the file in the Transaction Builder of the Safe app.',
        ),
        ...safeFiles(collections),
      ),
    );
    const about = ['Only if the chain does not have it yet; anybody may send this, once.'];
    parts.push(section('Deploy the contract that collects', about, deployFactoryCall(), null));
  }
  place('prepared').replaceChildren(...parts);
}

field('file').addEventListener('change', () => {
  const input = field('file');
  const file = input instanceof HTMLInputElement ? input.files?.[0] : undefined;
  void file?.text().then((text) => {
    field('rows').value = text;
  });
});

place('question').addEventListener('submit', (event) => {
  event.preventDefault();
  try {
    const factory = valueOf('factory');
    const { collections, refused } = prepareExport(field('rows').value, ...(factory ? [factory] : []));
    show(collections, refused);
  } catch (error) {
    if (!(error instanceof CollectionError)) throw error;
    place('prepared').replaceChildren();
    say(place('result'), 'no', error.message);
  }
});
