import type { Frame, Page } from 'playwright-core';

/** CSS pixels: phones, the frame of a shop's dialog, a tablet upright, half a desk and on both sides of each break of the style sheets, desks. */
export const WIDTHS = [320, 390, 576, 768, 800, 1_100, 1_440] as const;

/**
 * Runs in the page. Tries every fold closed, each open alone (with those around it), and all open, and says what lies
 * over something else, which number, word or name is broken, cut or too small to read, what runs out of its box, which
 * value of a list of cards has no name, which hint in a field is cut, and whether the page is wider than its window. Everything is found by
 * what it is, not by a list of places, so that a new screen is checked as it comes.
 */
const FAULTS = `(() => {
  // An amount with its sign or unit, a sum, a clock: digits that are part of no word, reference or hash.
  const NUMBER = /(?<![A-Za-z0-9_#-])(?:[A-Z]{0,3}\\p{Sc}|[A-Z]{3}(?=\\u00a0))?[\\u00a0\\u200e\\u200f]*[-−+]?\\d[\\d.,:'’\\u00a0\\u202f]*(?:[ \\u00a0]?(?:\\p{Sc}|%|[A-Z][A-Z0-9.]{1,7}(?![A-Za-z0-9-])))?(?![A-Za-z0-9_-])/gu;
  // Of scripts that put spaces between words, and short enough for a line; names of events and states included.
  const WORD = /(?<![\\p{L}\\p{M}\\p{N}@/:=._-])[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Devanagari}\\p{M}._]{3,24}(?![\\p{L}\\p{M}\\p{N}@/:=-])/gu;
  // That people look for as one: "ERC-20", "ORDER-1042".
  const NAME = /(?<![\\p{L}\\p{N}-])\\p{Lu}{2,6}-\\d{1,6}(?![\\p{L}\\p{N}-])/gu;
  // What belongs to the word before it.
  const CLOSING = /^[.,;:!?)»”…،؛؟。、，：；]/u;
  // Pictures, codes, controls: what a text of another element must not lie on.
  const SOLID = 'svg, img, canvas, iframe, [role=img], button, summary.button, a.button, input:not([type=hidden]), select, textarea';
  const CLIPS = new Set(['hidden', 'clip', 'auto', 'scroll']);
  const short = (text) => text.replace(/\\s+/g, ' ').trim().slice(0, 40);
  const range = document.createRange();

  // The part of a box that is seen: what is meant for screen readers has none.
  function seen(box, element, clips) {
    let { left, top, right, bottom } = box;
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (!clips.has(at)) {
        const { overflowX, clipPath } = getComputedStyle(at);
        clips.set(at, clipPath === 'inset(50%)' ? new DOMRect() : CLIPS.has(overflowX) ? at.getBoundingClientRect() : null);
      }
      const clip = clips.get(at);
      if (!clip) continue;
      left = Math.max(left, clip.left); top = Math.max(top, clip.top);
      right = Math.min(right, clip.right); bottom = Math.min(bottom, clip.bottom);
    }
    return right - left > 2 && bottom - top > 2 ? { left, top, right, bottom } : null;
  }
  // What stays in the window lies on what is scrolled.
  const layerOf = (element) => {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).position === 'fixed') return at;
    return null;
  };
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  function boxes() {
    const clips = new Map();
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const element = node.parentElement;
      if (!node.data.trim() || element.closest('svg, script, style, noscript, option') || !shown(element)) continue;
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        const part = seen(box, element, clips);
        if (!part) continue;
        // Lines of tall scripts reach into each other; letters do not.
        const inset = (part.bottom - part.top) / 5;
        found.push({ ...part, top: part.top + inset, bottom: part.bottom - inset, node, element, layer: layerOf(element), says: short(node.data) });
      }
    }
    for (const element of document.querySelectorAll(SOLID)) {
      if (element.parentElement.closest('svg') || !shown(element)) continue;
      const part = seen(element.getBoundingClientRect(), element, clips);
      if (part) found.push({ ...part, node: element, element, layer: layerOf(element), says: '<' + element.tagName.toLowerCase() + ' ' + short(element.id || element.getAttribute('class') || '') + '>' });
    }
    return found;
  }

  function overlaps() {
    const all = boxes().sort((a, b) => a.top - b.top);
    const found = new Set();
    for (let i = 0; i < all.length; i++)
      for (let j = i + 1; j < all.length && all[j].top < all[i].bottom; j++) {
        const [a, b] = [all[i], all[j]];
        if (a.node === b.node || a.layer !== b.layer || a.element.contains(b.node) || b.element.contains(a.node)) continue;
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (width > 2 && height > 2) found.add(a.says + ' lies on ' + b.says);
      }
    return found;
  }

  const lines = () => {
    const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top);
    return tops.length ? Math.max(...tops) - Math.min(...tops) : 0;
  };
  // The text before, in the order of the page.
  let last = null;
  const blockOf = (node) => {
    let box = node.parentElement;
    while (getComputedStyle(box).display.startsWith('inline')) box = box.parentElement;
    return box;
  };
  function isAlone(node) {
    if (!last || !CLOSING.test(node.data) || blockOf(last) !== blockOf(node)) return false;
    const ends = last.data.trimEnd().length;
    if (ends === 0 || ends < last.data.length) return false;
    range.setStart(last, ends - 1);
    range.setEnd(last, ends);
    const { bottom, height } = range.getBoundingClientRect();
    range.setStart(node, 0);
    range.setEnd(node, 1);
    const { top } = range.getBoundingClientRect();
    return height > 0 && top > bottom - 4;
  }
  const isClipped = (element) => {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).clipPath !== 'none') return true;
    return false;
  };
  // Names, addresses and labels of any length, in every box: a page, a card, a dialog, a button.
  function outside() {
    const found = new Set();
    for (const box of document.body.querySelectorAll('*')) {
      if (box.scrollWidth <= box.clientWidth + 1 || box.clientWidth === 0 || box.closest('svg') || !shown(box)) continue;
      const { overflowX, display } = getComputedStyle(box);
      // What scrolls by itself can be reached by keyboard: lists of tabs, tables, samples.
      if (display.startsWith('inline') && display !== 'inline-flex' && display !== 'inline-block') continue;
      if (isClipped(box) || /^(INPUT|SELECT|TEXTAREA|OPTION)$/.test(box.tagName)) continue;
      if (overflowX !== 'visible' && (box.tabIndex >= 0 || box.querySelector('a, button') === null && box.tagName === 'PRE' || box.matches('nav, nav *') && !layerOf(box))) continue;
      if ([...box.querySelectorAll('*')].some((one) => one !== box && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && getComputedStyle(one).display !== 'inline' && shown(one))) continue;
      found.add('runs out of its box: ' + short(box.textContent));
    }
    return found;
  }

  // Where a list has no columns, a value without a name says nothing; states, controls and the first cell say what they are.
  function unnamed() {
    const found = new Set();
    for (const table of document.querySelectorAll('table')) {
      if (!shown(table) || !table.tHead || getComputedStyle(table.tHead).clipPath === 'none') continue;
      for (const row of table.tBodies[0]?.rows ?? [])
        for (const cell of [...row.cells].filter((one) => one.tagName === 'TD' && !one.dataset.is)) {
          if (shown(cell) && cell.textContent.trim() && getComputedStyle(cell, '::before').content === 'none')
            found.add('has no name: ' + short(cell.textContent));
        }
    }
    return found;
  }

  function broken() {
    const found = new Set();
    last = null;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const element = node.parentElement;
      if (element.closest('svg, script, style, noscript, pre, option') || !shown(element)) continue;
      range.selectNodeContents(node);
      if (isAlone(node)) found.add('at the beginning of a line: ' + short(node.data));
      last = node;
      range.selectNodeContents(node);
      if (lines() <= 4) continue;
      for (const { 0: part, index } of [...(element.closest('code') ? [] : node.data.matchAll(NUMBER)), ...node.data.matchAll(WORD), ...node.data.matchAll(NAME)]) {
        range.setStart(node, index);
        range.setEnd(node, index + part.length);
        if (lines() > 4) found.add('broken: ' + short(part));
      }
    }
    for (const number of document.querySelectorAll('.number, [data-figure]')) {
      let box = number.parentElement;
      while (getComputedStyle(box).display === 'inline') box = box.parentElement;
      if (shown(number) && box.scrollWidth > box.clientWidth + 1) found.add('wider than its box: ' + short(number.textContent));
    }
    // The groups that people compare an address by.
    for (const group of document.querySelectorAll('code > span')) {
      range.selectNodeContents(group);
      if (shown(group) && lines() > 4) found.add('broken: ' + short(group.textContent));
    }
    return found;
  }

  // Of the smallest text that people with good eyes read without effort.
  const SMALLEST = 10;
  // The arrow of a list that unfolds.
  const ARROW = 18;
  function squeezed() {
    const found = new Set();
    for (const number of document.querySelectorAll('.number, [data-figure]'))
      if (shown(number) && parseFloat(getComputedStyle(number).fontSize) < SMALLEST) found.add('too small: ' + short(number.textContent));
    const pen = document.createElement('canvas').getContext('2d');
    for (const list of document.querySelectorAll('select')) {
      if (!shown(list)) continue;
      const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(list);
      pen.font = font;
      const room = list.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd) - ARROW;
      const says = list.selectedOptions[0]?.text ?? '';
      if (/\\d/.test(says) && pen.measureText(says).width > room) found.add('cut: ' + short(says));
    }
    for (const field of document.querySelectorAll('input[placeholder], textarea[placeholder]')) {
      if (!shown(field) || field.value) continue;
      const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(field);
      pen.font = font;
      const room = field.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd);
      if (field.tagName === 'INPUT' && pen.measureText(field.placeholder).width > room) found.add('cut: ' + short(field.placeholder));
    }
    for (const button of document.querySelectorAll('button, summary.button, a.button')) {
      if (!shown(button)) continue;
      const { top, bottom } = button.getBoundingClientRect();
      range.selectNodeContents(button);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 2);
      if (getComputedStyle(button).borderTopWidth !== '0px' && tops.some((line) => line.top < top + 2 || line.bottom > bottom - 2))
        found.add('touches the edge of its button: ' + short(button.textContent));
    }
    return found;
  }

  // The innermost element that reaches out of the window.
  const widest = () => {
    const { clientWidth } = document.documentElement;
    const out = [...document.body.querySelectorAll('*')].filter((one) => {
      const { left, right, width } = one.getBoundingClientRect();
      return width > 0 && (left < -1 || right > clientWidth + 1) && shown(one);
    });
    return short(out.findLast(() => true)?.textContent ?? '');
  };

  const folds = [...document.querySelectorAll('details')];
  const before = folds.map(({ open }) => open);
  const around = (fold) => folds.filter((one) => one.contains(fold));
  const states = [['folded', []], ...folds.map((fold) => [short(fold.querySelector('summary').textContent), around(fold)]), ['unfolded', folds]];
  const faults = [];
  scrollTo(0, 0);
  for (const [name, open] of states.slice(0, folds.length > 1 ? undefined : folds.length + 1)) {
    for (const fold of folds) fold.open = open.includes(fold);
    const wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    for (const fault of [...overlaps(), ...broken(), ...squeezed(), ...outside(), ...unnamed(), ...(wider > 0 ? [wider + ' px too wide: ' + widest()] : [])])
      faults.push(name + ': ' + fault);
  }
  folds.forEach((fold, at) => { fold.open = before[at]; });
  return faults;
})()`;

/** @returns a line for each fault, with the fold that was open; none: everything can be read */
export function layoutFaults(page: Page | Frame): Promise<string[]> {
  return page.evaluate<string[]>(FAULTS);
}
