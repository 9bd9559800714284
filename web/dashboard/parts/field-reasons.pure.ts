/** "Must be an address." of the gateway's "The address field must be an address.": what is read stands at its label. */
export function reasonAtLabel(reason: string): string {
  const [, first, rest] = /^The \S+ field (\S)(.*)$/su.exec(reason) ?? [];
  return first === undefined || rest === undefined ? reason : `${first.toUpperCase()}${rest}`;
}

/** Reasons for fields that a form does not show; without these words nobody would ever see them. */
export function elsewhere(
  errors: Readonly<Record<string, readonly string[]>>,
  shown: readonly string[],
): string[] {
  return Object.entries(errors).flatMap(([name, reasons]) => (shown.includes(name) ? [] : reasons));
}
