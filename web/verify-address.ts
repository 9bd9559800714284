import { AddressQuestionError, findAddressOfKey, findAddressOfTreasury } from '../sdk/src/derivation.js';

/* The page that checks an address of one's own key or treasury, alone in one file (scripts/build-web.mjs). */

const field = (id: string): HTMLInputElement | HTMLTextAreaElement => {
  const element = document.getElementById(id);
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element;
  throw new Error(`no field ${id}`);
};
const valueOf = (id: string): string => field(id).value.trim();

/** An address rather than a key. */
const isTreasury = (): boolean => /^0x[0-9a-f]*$/i.test(valueOf('key'));

interface Answer {
  answer: 'yes' | 'no' | 'error';
  text: string;
}

function answer(): Answer {
  try {
    return isTreasury() ? answerTreasury() : answerKey();
  } catch (error) {
    if (!(error instanceof AddressQuestionError)) throw error;
    return { answer: 'error', text: error.message };
  }
}

function answerKey(): Answer {
  const address = valueOf('address');
  const index = Number(valueOf('index'));
  const found = findAddressOfKey({ key: field('key').value, index, address });
  if (!found) return { answer: 'no', text: `No: ${address} is not address ${index} of this key.` };
  const kind = [found.family, found.scriptType].filter((part) => part !== null).join(' ');
  return {
    answer: 'yes',
    text: `Yes: ${found.address} is ${found.path} of this key, ${found.walletPath} of its wallet (${kind}).`,
  };
}

function answerTreasury(): Answer {
  const [treasury, namespace, address, factory] = [
    valueOf('key'),
    valueOf('namespace'),
    valueOf('address'),
    valueOf('factory'),
  ];
  const index = Number(valueOf('index'));
  const found = findAddressOfTreasury({ treasury, namespace, index, address, ...(factory && { factory }) });
  return found
    ? {
        answer: 'yes',
        text: `Yes: ${found.address} is address ${index} of this treasury, and can only pay it.`,
      }
    : { answer: 'no', text: `No: ${address} is not address ${index} of this treasury.` };
}

field('key').addEventListener('input', () => {
  document.getElementById('treasury')?.toggleAttribute('hidden', !isTreasury());
});

document.getElementById('question')?.addEventListener('submit', (event) => {
  event.preventDefault();
  const result = document.getElementById('result');
  if (!result) return;
  const { answer: kind, text } = answer();
  result.dataset['answer'] = kind;
  result.textContent = text;
});
