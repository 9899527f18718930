// The style of the pages in this folder: light and dark, from 320 px on.
import { pageColours, startBarStyle } from '../../../core/unstable.ts';

export const style = `${pageColours}:root{--wait:#875a00;--wait-paper:#fbf3e0}
@media (prefers-color-scheme:dark){:root{--wait:#e6bd6a;--wait-paper:#2a2212}}
${startBarStyle}*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/20px system-ui,sans-serif}
main{max-width:672px;margin:0 auto;padding:24px 16px 48px}
main.wide{max-width:1120px}
h1,h2{margin:0 0 8px;font-weight:600;overflow-wrap:anywhere}
h1{font-size:22px;line-height:30px}h2{font-size:16px;line-height:24px}
p{margin:0 0 12px;overflow-wrap:anywhere}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.18em}
.with-start>nav{border-color:var(--faint)}
.start{color:var(--ink)}
.soft{color:var(--soft)}
.small{font-size:13px;line-height:18px}
section,fieldset{margin:0 0 16px;padding:16px;background:var(--card);border:1px solid var(--faint);border-radius:10px;min-width:0}
legend{padding:0;font-size:16px;line-height:24px;font-weight:600;float:inline-start;width:100%;margin-bottom:4px}
legend+*{clear:both}
.head{display:flex;gap:16px;align-items:flex-start;margin-bottom:16px}
.head img{width:48px;height:48px;border-radius:10px;border:1px solid var(--faint);background:#fff;object-fit:contain;flex:none}
.head p{margin:0}
dl{display:grid;grid-template-columns:minmax(96px,auto) 1fr;gap:6px 16px;margin:0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
code{font:12.5px/18px ui-monospace,monospace}
.pill{display:inline-block;border-radius:999px;padding:1px 10px;font-size:12px;line-height:18px;font-weight:500;background:var(--shade);color:var(--ink)}
.pill.good{background:var(--in-paper);color:var(--in)}
.pill.wait{background:var(--wait-paper);color:var(--wait)}
.note{border:1px solid var(--faint);border-inline-start:4px solid var(--wait);background:var(--wait-paper);border-radius:6px;padding:12px 16px;margin-bottom:16px}
.note p:last-child{margin:0}
.note b{display:block}
.note.bad{border-inline-start-color:var(--out);background:var(--out-paper)}
.note.good{border-inline-start-color:var(--in);background:var(--in-paper)}
label{overflow-wrap:anywhere}
.choice{display:flex;gap:12px;align-items:flex-start;padding:8px 0;min-height:36px}
.choice+.choice{border-top:1px solid var(--faint)}
.choice input{flex:none;width:20px;height:20px;margin:0;accent-color:var(--act)}
.choice span{display:block;min-width:0}
.choice .risk{color:var(--out)}
.fields{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,240px),1fr));gap:16px}
.field label{display:block;font-weight:500}
.field p{margin:0 0 4px}
input.text,select{width:100%;min-height:36px;padding:6px 10px;border:1px solid var(--line);border-radius:6px;background:var(--card);color:inherit;font:inherit}
[aria-invalid]{border-color:var(--out)!important}
.fault{color:var(--out);font-weight:500}
summary{cursor:pointer;padding:8px 0;font-weight:500}
details .fields{margin-top:8px}
.row{display:flex;flex-wrap:wrap;gap:8px;align-items:flex-end}
.row select{flex:1 1 200px;width:auto;min-width:0}
.buttons{display:flex;flex-wrap:wrap;gap:12px;margin:24px 0 16px}
button,.button{display:inline-block;min-height:36px;padding:7px 16px;border:1px solid var(--act);border-radius:6px;background:var(--act);color:var(--on-act);font:inherit;font-weight:600;cursor:pointer;text-decoration:none}
.buttons button{flex:1 1 160px;min-height:44px}
button.plain{background:transparent;color:var(--ink);border-color:var(--line)}
button.bad{background:transparent;color:var(--out);border-color:var(--out)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
ul.grants{list-style:none;margin:0;padding:0}
ul.plain{margin:0;padding-inline-start:20px}
.grant-head{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:flex-start;justify-content:space-between;margin-bottom:8px}
.grant-head h2{margin:0}
@media (pointer:coarse){button,.button,input.text,select{min-height:44px}.choice{min-height:44px}}
@media (max-width:480px){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}}`;
