import { AddressQuestionError, findAddressOfKey } from '../sdk/src/derivation.js';

/* The page that checks an address of one's own key, alone in one file (scripts/build-web.mjs). */

const field = (id: string): HTMLInputElement | HTMLTextAreaElement => {
  const element = document.getElementById(id);
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element;
  throw new Error(`no field ${id}`);
};

function answer(): { answer: 'yes' | 'no' | 'error'; text: string } {
  const address = field('address').value.trim();
  const index = Number(field('index').value);
  try {
    const found = findAddressOfKey({ key: field('key').value, index, address });
    if (!found) return { answer: 'no', text: `No: ${address} is not address ${index} of this key.` };
    const kind = [found.family, found.scriptType].filter((part) => part !== null).join(' ');
    return {
      answer: 'yes',
      text: `Yes: ${found.address} is ${found.path} of this key, ${found.walletPath} of its wallet (${kind}).`,
    };
  } catch (error) {
    if (!(error instanceof AddressQuestionError)) throw error;
    return { answer: 'error', text: error.message };
  }
}

document.getElementById('question')?.addEventListener('submit', (event) => {
  event.preventDefault();
  const result = document.getElementById('result');
  if (!result) return;
  const { answer: kind, text } = answer();
  result.dataset['answer'] = kind;
  result.textContent = text;
});
