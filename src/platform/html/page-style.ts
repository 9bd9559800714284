/** The page's whole style: system fonts, light and dark, from 320 px on. Every text pair has a contrast over 4.5. */
export const STYLE = `
:root { color-scheme: light dark; --bg: #f2f4f7; --card: #fff; --text: #171a20; --soft: #535a67; --line: #d9dde4;
  --edge: #767d8a; --accent: #1747d1; --on-accent: #fff; --good: #0b6b3d; --warn: #7d4300; --bad: #a5231b;
  --good-bg: #e8f5ed; --warn-bg: #fff4e0; --bad-bg: #fdecea; }
@media (prefers-color-scheme: dark) { :root { --bg: #0f1115; --card: #191c22; --text: #eef0f4; --soft: #aab1be;
  --line: #333842; --edge: #7f8796; --accent: #a3bbff; --on-accent: #0b1430; --good: #7fdca6; --warn: #ffc875;
  --bad: #ffb1a8; --good-bg: #15301f; --warn-bg: #33270f; --bad-bg: #3a1b18; } }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; padding: 1rem; background: var(--bg); color: var(--text); font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere; }
.page { max-width: 32rem; margin: 0 auto; }
p { margin: 0 0 .75rem; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: .25rem; }
h1:focus { outline: none; }
.soft { color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.value, .cost, .total, dd { font-variant-numeric: tabular-nums; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: end; padding: .5rem .25rem 1rem; }
header p { margin: 0; }
header div { flex: 1 1 12rem; min-width: 0; }
.shop { font-size: 1.125rem; font-weight: 650; }
.total { font-size: 1.75rem; font-weight: 700; line-height: 1.2; letter-spacing: -.01em; }
main { padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
main > :last-child { margin-bottom: 0; }
h1 { display: flex; gap: .625rem; align-items: start; margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.3; }
h1 svg { flex: none; width: 1.75rem; height: 1.75rem; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; color: var(--accent); }
h1.good svg { color: var(--good); } h1.warn svg { color: var(--warn); } h1.bad svg { color: var(--bad); }
h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
.note { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .625rem; border-inline-start: 4px solid; }
.note p { margin: 0; color: var(--text); }
.note.good { background: var(--good-bg); border-color: var(--good); }
.note.warn { background: var(--warn-bg); border-color: var(--warn); }
.note.bad { background: var(--bad-bg); border-color: var(--bad); }
.button, .link { display: inline-flex; align-items: center; min-height: 2.75rem; }
.button { justify-content: center; width: 100%; padding: .5rem 1rem; border-radius: .625rem; font-weight: 650;
  text-align: center; text-decoration: none; background: var(--accent); color: var(--on-accent); }
.button:hover { text-decoration: underline; }
button.button { border: 0; font: inherit; font-weight: 650; cursor: pointer; }
form { margin-top: 1.5rem; }
label { display: block; margin-bottom: .25rem; font-weight: 650; }
input[type=text] { width: 100%; min-height: 2.75rem; margin-bottom: 1rem; padding: .5rem .75rem; color: inherit;
  font: .9375rem/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  background: transparent; border: 1px solid var(--edge); border-radius: .625rem; }
input[aria-invalid] { border-color: var(--bad); }
.methods { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .625rem; }
.method { display: flex; flex-wrap: wrap; gap: .125rem 1rem; justify-content: space-between; padding: .75rem 1rem;
  color: inherit; text-decoration: none; border: 1px solid var(--edge); border-radius: .625rem; }
.method span span, .cost strong { display: block; }
.what { flex: 1 1 9rem; }
.cost { text-align: end; margin-inline-start: auto; }
.method .soft { font-size: .9375rem; }
a.method:hover { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.off { border-style: dashed; color: var(--soft); }
.off strong { font-weight: 400; }
.state { display: flex; align-items: baseline; gap: .625rem; }
.pulse { flex: none; width: .625rem; height: .625rem; border-radius: 50%; background: var(--accent); }
.pay { display: grid; gap: 1.25rem; margin: 0 0 1rem; }
.scan { display: grid; gap: .75rem; justify-items: center; align-content: start; }
.qr { width: 15rem; max-width: 100%; line-height: 0; border: 1px solid var(--line); border-radius: .625rem;
  overflow: hidden; background: #fff; }
.qr svg { width: 100%; height: auto; }
.scan-note { max-width: 15rem; margin: 0; font-size: .875rem; }
.scan details { width: 15rem; max-width: 100%; }
.scan details > :not(summary) { margin-top: .5rem; }
summary { min-height: 2.75rem; padding: .625rem 0; color: var(--accent); cursor: pointer; }
.facts { margin: 0; display: grid; gap: .75rem; align-content: start; }
.facts div { min-width: 0; }
dl + .note, dl + p { margin-top: 1rem; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0; }
.sums { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; margin: 1rem 0; padding: .75rem 0;
  border-block: 1px solid var(--line); }
.ways { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 2rem; margin-top: 1rem; padding-top: .5rem;
  border-top: 1px solid var(--line); }
.copyable { display: flex; gap: 1rem; align-items: start; justify-content: space-between; }
.value { display: block; user-select: all; -webkit-user-select: all; }
.amount { font-size: 1.25rem; font-weight: 700; }
code { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
.small, .seen code { font-size: .8125rem; }
.address span { margin-inline-end: .375em; }
.address :first-child, .address span:nth-last-of-type(-n + 2) { font-weight: 700; }
.copy { flex: none; min-height: 2.25rem; padding: .25rem .875rem; font: inherit; font-size: .9375rem;
  color: var(--accent); background: transparent; border: 1px solid var(--edge); border-radius: .5rem; cursor: pointer; }
.copy:hover { border-color: var(--accent); }
.copy.done { color: var(--good); border-color: var(--good); }
.left { font-weight: 650; font-variant-numeric: tabular-nums; }
.left.soon { color: var(--warn); }
progress { display: block; width: 100%; height: .625rem; margin-bottom: .375rem; accent-color: var(--accent); }
.seen { margin: 0 0 1rem; padding: 0; list-style: none; display: grid; gap: .75rem; }
.seen code, .seen a { display: block; }
footer { padding: 1rem .25rem; font-size: .875rem; color: var(--soft); }
@media (max-width: 26rem) { body { padding: .5rem; } main { padding: 1rem; } .cost { margin: 0; text-align: start; } }
@media (min-width: 50rem) { .page:has(.pay) { max-width: 48rem; } .pay { grid-template-columns: 15rem 1fr; gap: 2rem; } }
@media (pointer: coarse) { .scan .button { order: -1; } .copy { min-height: 2.75rem; } }
@media (forced-colors: active) { .pulse { background: CanvasText; } .button { border: 1px solid; } }
@media (prefers-reduced-motion: no-preference) { .pulse { animation: pulse 2s ease-in-out infinite; }
  @keyframes pulse { 50% { opacity: .35; } } }
@media print { body { background: none; } .button, .link, .copy { display: none; } }
`;
