/** The page's elements that scripts work with. */

/** The server's `<main>`; another one takes its place with every change. */
export function currentMain(): HTMLElement {
  return document.querySelector('main') ?? document.createElement('main');
}

export function byId(id: string): HTMLElement | null {
  return document.getElementById(id);
}
