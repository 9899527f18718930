// The style of the page for approvals: light and dark, from 320 px on.
import { pageColours, startBarStyle } from '../../../core/unstable.ts';

export const style = `${pageColours}${startBarStyle}*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
header,main{max-width:1180px;margin:0 auto;padding:16px}
header{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:baseline;justify-content:space-between}
header p{margin:0;color:var(--soft)}
h1,h2,h3{line-height:1.25;margin:0 0 8px;overflow-wrap:anywhere}
h1{font-size:26px}h2{font-size:19px;margin-top:28px}h3{font-size:16px}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.18em}
.start{border-color:var(--faint);font-size:14px;color:var(--ink)}
.requests+.way{margin-top:12px}
.way a+a{margin-left:12px}
p{margin:0 0 12px;overflow-wrap:anywhere}
.soft{color:var(--soft)}
ul.requests{list-style:none;margin:0;padding:0;display:grid;gap:12px}
.card{background:var(--card);border:1px solid var(--faint);border-radius:10px;padding:14px 16px}
.card p:last-child{margin-bottom:0}
.card a{font-weight:600;display:inline-block;padding:4px 0}
.state{display:inline-block;border:1px solid var(--line);border-radius:99px;padding:1px 10px;font-size:14px}
dl{display:grid;grid-template-columns:minmax(90px,auto) 1fr;gap:4px 16px;margin:0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.sides{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr))}
.sides.one{grid-template-columns:minmax(0,1fr)}
.sides .card{min-width:0}
iframe{width:100%;height:clamp(240px,42vh,520px);resize:vertical;border:1px solid var(--faint);border-radius:6px;background:#fff}
.change{margin-bottom:12px}
.change pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.5 ui-monospace,monospace}
del,ins{padding:1px 2px;border-radius:3px}
del{background:var(--out-paper);color:var(--out)}
ins{background:var(--in-paper);color:var(--in);text-decoration:underline}
label{display:block;font-weight:600;margin-bottom:6px}
textarea{width:100%;min-height:96px;padding:10px 12px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:inherit;font:inherit}
.buttons{display:flex;flex-wrap:wrap;gap:10px;margin-top:12px}
button{min-height:46px;padding:10px 20px;border:2px solid var(--act);border-radius:8px;background:var(--act);color:var(--on-act);font:inherit;font-weight:600;cursor:pointer;flex:1 1 200px;max-width:320px}
button.plain{background:transparent;color:var(--ink);border-color:var(--line)}
button.out{background:transparent;color:var(--out);border-color:var(--out)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
button:focus-visible,textarea:focus-visible{border-radius:8px}
.fault{color:var(--out);font-weight:600;margin-bottom:6px}
textarea[aria-invalid]{border-color:var(--out)}
.note{border-left:4px solid var(--act);padding:8px 14px;background:var(--card);margin-bottom:16px}
.error{border-left-color:var(--out)}
@media (max-width:420px){dl{grid-template-columns:1fr}dd{margin-bottom:6px}header,main{padding:12px}}`;
