/** Markup that needs no more escaping. */
export class Html {
  constructor(readonly text: string) {}
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(value: Html | string | null | readonly Html[]): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  return value.map((part) => part.text).join('');
}

/** Builds markup: whatever is put in is escaped, unless it was built the same way. */
export function markup(
  parts: TemplateStringsArray,
  ...values: (Html | string | null | readonly Html[])[]
): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)));
}
