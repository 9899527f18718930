// The style sheet and the script of the preview pages. The script keeps one connection open and reloads the page when a
// file changes. The address contains the choices, so that a reload keeps them.

export const previewStyle = `
:root { color-scheme: light dark; --ink: #1b1f1d; --quiet: #5d6661; --line: #dcdfdc; --page: #f5f6f4; --card: #fff; --accent: #14523a; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1ef; --quiet: #a3aea8; --line: #343c38; --page: #111513; --card: #1a201d; --accent: #8fd3b1; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: 15rem minmax(0, 1fr); background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
nav { padding: 1.25rem 0.75rem; border-inline-end: 1px solid var(--line); }
nav h1 { margin: 0 0 .75rem; padding: 0 .5rem; font-size: .8rem; font-weight: 600; color: var(--quiet); }
nav a { display: block; padding: .3rem .5rem; border-radius: 6px; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { background: var(--card); }
nav a[aria-current] { background: var(--card); font-weight: 600; color: var(--accent); }
main { padding: 1.25rem 1.5rem 2rem; display: flex; flex-direction: column; min-width: 0; }
header { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: end; margin-bottom: 1rem; }
header h2 { margin: 0; font-size: 1.15rem; line-height: 1.35; overflow-wrap: anywhere; }
header p { margin: 0; color: var(--quiet); }
header > div:first-child { flex: 1 1 20rem; min-width: 0; }
.choices { display: flex; flex-wrap: wrap; gap: .5rem; margin-inline-start: auto; }
.choices ul { display: flex; margin: 0; padding: 2px; list-style: none; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.choices a { display: block; padding: .2rem .65rem; border-radius: 6px; color: var(--quiet); text-decoration: none; white-space: nowrap; }
.choices a[aria-current] { background: var(--accent); color: var(--card); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
iframe, pre, .faults { flex: 1; min-height: 70vh; width: 100%; margin: 0; border: 1px solid var(--line); border-radius: 10px; background: #fff; }
iframe.phone { max-width: 375px; align-self: center; }
iframe.dark { color-scheme: dark; background: #121212; }
iframe.light { color-scheme: light; }
pre, .faults { padding: 1rem 1.25rem; background: var(--card); white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.55 ui-monospace, monospace; }
.faults { flex: none; min-height: 0; padding-inline-start: 2.5rem; font: inherit; border-color: #b3402a; }
.faults li { margin: .35rem 0; }
@media (max-width: 700px) { body { display: block; } nav { border-inline-end: 0; border-bottom: 1px solid var(--line); } }
`;

export const previewScript = `
const changes = new EventSource(document.documentElement.dataset.changes);
changes.onmessage = () => location.reload();
`;
