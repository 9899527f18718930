// The style of the page of social posts.
import { cardStyle } from '../preview/style.ts';

export const style = `${cardStyle}main{max-width:1180px;margin:0 auto;padding:20px 16px 48px}
a:focus-visible,button:focus-visible,select:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
h1{font-size:24px;margin:8px 0;overflow-wrap:anywhere}h2{font-size:18px;margin:24px 0 8px}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:2px 0}nav [aria-current]{font-weight:600;color:var(--ink);text-decoration:none}
.days{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:1px;background:var(--faint);border:1px solid var(--faint);border-radius:10px;overflow:hidden}
.days>li{background:var(--card);min-height:104px;padding:6px;min-width:0}.days>.out{background:var(--paper)}
.days time.day{display:block;font-size:13px;color:var(--soft);font-variant-numeric:tabular-nums}.days .now time.day{color:var(--ink);font-weight:700;text-decoration:underline}
.days .wd{display:none}
.heads{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:1px;color:var(--soft);font-size:13px}.heads li{padding:2px 6px}
.entry{display:block;margin:4px 0 0;padding:3px 6px;border-left:4px solid var(--soft);border-radius:4px;background:var(--shade);color:var(--ink);font-size:13px;line-height:1.35;overflow-wrap:anywhere;text-decoration:none}
.entry b{font-weight:600}.entry.hold{border-left-style:dotted}.entry.failed,.entry.partially_published{border-left-color:var(--out)}.entry.published{border-left-color:var(--in)}.entry.scheduled,.entry.publishing{border-left-color:var(--link)}
form{display:flex;flex-wrap:wrap;gap:6px 8px;align-items:end;padding:10px 12px;background:var(--card);border:1px solid var(--faint);border-radius:10px}
label{display:grid;font-size:13px;color:var(--soft);min-width:0}select,button{font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--soft);border-radius:6px;padding:5px 8px;max-width:100%}
.faults{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(280px,100%),1fr));gap:10px}
@media(max-width:720px){.heads{display:none}.days{grid-template-columns:1fr}.days>li{min-height:0}.days>.out,.days>.none{display:none}.days .wd{display:inline}}
`;
