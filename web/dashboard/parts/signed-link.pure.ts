/** Whether a link of a customer can be opened: viewers get it without its signature (specification/authentication.md#members). */
export function isSigned(link: string): boolean {
  return new URL(link).searchParams.has('signature');
}
