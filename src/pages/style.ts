/** The style sheet of all pages: light and dark, responsive, with system fonts. */

export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1d2430; --soft: #566072; --line: #dfe3ea; --block: #f4f6f9;
  --link: #0b57c4; --mark: #0f6b4f; --mark-ground: #e3f4ec; --alarm: #a3261b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --text: #e3e7ee; --soft: #a3adbd; --line: #2c3440; --block: #1a2029;
    --link: #82b4ff; --mark: #7bdcb5; --mark-ground: #16332a; --alarm: #ff9a8f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: break-word;
}
.frame { max-width: 76rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2.5rem) 4rem; }
main { max-width: 52rem; min-width: 0; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
h1 { font-size: 2rem; margin: 0.5rem 0 1rem; }
h2 { font-size: 1.4rem; margin: 3rem 0 0.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.75rem 0 0.5rem; }
p, ul { margin: 0.6rem 0; }
ul { padding-left: 1.25rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code, pre { font: 0.875em/1.55 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
:not(pre) > code { overflow-wrap: anywhere; background: var(--block); padding: 0.1em 0.35em; border-radius: 4px; }
pre {
  background: var(--block); border: 1px solid var(--line); border-radius: 8px;
  padding: 0.9rem 1rem; overflow: auto; max-height: 32rem; margin: 0.75rem 0;
}
.table { overflow-x: auto; margin: 0.75rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.925rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 1rem 0.45rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; font-size: 0.8rem; white-space: nowrap; }
td:first-child { white-space: nowrap; }
.soft { color: var(--soft); }
.needed { color: var(--alarm); font-size: 0.8rem; }
.path code { min-width: 0; }
.path { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; margin: 0.5rem 0; }
.method, .status {
  background: var(--mark-ground); color: var(--mark); font-weight: 700; font-size: 0.8rem;
  padding: 0.15rem 0.55rem; border-radius: 999px; letter-spacing: 0.02em;
}
.refused { background: none; color: var(--alarm); border: 1px solid currentColor; }
details { margin: 0.75rem 0; }
[hidden] { display: none !important; }
.hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
.block { position: relative; }
.block pre { padding-right: 5.5rem; }
button {
  font: inherit; font-size: 0.8rem; font-weight: 600; cursor: pointer; color: var(--link); background: var(--ground);
  border: 1px solid var(--line); border-radius: 6px; padding: 0.3rem 0.7rem; min-height: 2rem;
}
button:hover { border-color: currentColor; }
.copy { position: absolute; top: 0.5rem; right: 0.5rem; }
input { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: 6px; padding: 0.3rem 0.6rem; min-width: 0; width: 100%; }
.search { display: grid; gap: 0.25rem; margin-bottom: 0.75rem; }
.search label { color: var(--soft); font-size: 0.8rem; font-weight: 600; }
.request-form form { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.5rem; align-items: end; margin: 0.75rem 0; }
.request-form label { display: grid; gap: 0.2rem; min-width: 0; }
.request-form label span { color: var(--soft); font-size: 0.8rem; font-weight: 600; }
.request-form input { font: 0.875em/1.55 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
.request-form form button { min-height: 2.2rem; }
.answer p { overflow-wrap: anywhere; }
.answer pre { white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--link); }
nav ul { list-style: none; padding: 0; margin: 0.25rem 0 1rem; }
nav p { color: var(--soft); font-size: 0.8rem; font-weight: 600; margin: 0; }
nav a { display: block; padding: 0.15rem 0; text-decoration: none; font-size: 0.925rem; overflow-wrap: anywhere; }
nav a:hover { text-decoration: underline; }
@media (max-width: 62rem) {
  nav li { display: inline-block; margin-right: 1.1rem; }
}
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody { display: block; }
  tr { display: block; border-bottom: 1px solid var(--line); padding: 0.6rem 0; }
  td { display: block; border: 0; padding: 0.1rem 0; }
  td:first-child, td:nth-child(2) { display: inline; margin-right: 0.6rem; }
  td:empty { display: none; }
  .copy { position: static; margin-bottom: 0.5rem; }
  .block pre { padding-right: 1rem; }
}
@media (min-width: 62rem) {
  .with-nav { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2.5rem; }
  .with-nav nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; }
}
@media print { nav { display: none; } pre { max-height: none; } }
`;
