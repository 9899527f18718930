// The style of the page of social posts. Colours of networks are only lines beside the name, which says the same.

export const style = `
:root{color-scheme:light dark;--text:#1c1c1f;--hush:#55555e;--back:#fafafb;--card:#fff;--line:#d8d8de;--link:#0b57a4;--bad:#a3262a;--soft:#ececf0}
@media(prefers-color-scheme:dark){:root{--text:#f2f2f4;--hush:#b8b8c2;--back:#18181b;--card:#222226;--line:#3f3f47;--link:#8fc1ff;--bad:#ff9c9c;--soft:#2d2d33}}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back)}
main{max-width:1180px;margin:0 auto;padding:20px 16px 48px}
a{color:var(--link)}a:focus-visible,button:focus-visible,select:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
h1{font-size:24px;margin:8px 0;overflow-wrap:anywhere}h2{font-size:18px;margin:24px 0 8px}h3{font-size:15px;margin:0}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:2px 0}nav [aria-current]{font-weight:600;color:var(--text);text-decoration:none}
p{margin:6px 0}.hush{color:var(--hush)}.bad{color:var(--bad)}
ul,ol{list-style:none;margin:0;padding:0}
.days{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:1px;background:var(--line);border:1px solid var(--line);border-radius:10px;overflow:hidden}
.days>li{background:var(--card);min-height:104px;padding:6px;min-width:0}.days>.out{background:var(--back)}
.days time.day{display:block;font-size:13px;color:var(--hush);font-variant-numeric:tabular-nums}.days .now time.day{color:var(--text);font-weight:700;text-decoration:underline}
.days .wd{display:none}
.heads{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:1px;color:var(--hush);font-size:13px}.heads li{padding:2px 6px}
.entry{display:block;margin:4px 0 0;padding:3px 6px;border-left:4px solid var(--hush);border-radius:4px;background:var(--soft);color:var(--text);font-size:13px;line-height:1.35;overflow-wrap:anywhere;text-decoration:none}
.entry b{font-weight:600}.entry.hold{border-left-style:dotted}.entry.failed,.entry.partially_published{border-left-color:var(--bad)}.entry.published{border-left-color:#2e7d4f}.entry.scheduled,.entry.publishing{border-left-color:var(--link)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr));gap:16px;align-items:start}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:14px;min-width:0}
.card header{display:flex;gap:10px;align-items:center;margin-bottom:8px}.card header div{min-width:0;overflow-wrap:anywhere}
.face{flex:none;width:40px;height:40px;border-radius:50%;display:grid;place-items:center;background:var(--soft);font-weight:600}
.square .face{border-radius:8px}
.words{white-space:pre-wrap;overflow-wrap:anywhere;margin:8px 0}
.part{border-left:2px solid var(--line);padding-left:12px;margin-left:19px}
.media{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(120px,100%),1fr));gap:4px;border-radius:10px;overflow:hidden;margin:8px 0}
.media figure{margin:0;background:var(--soft);min-height:80px;display:grid;place-items:center}.media img{display:block;width:100%;height:100%;max-height:320px;object-fit:cover}
.tall .media figure{aspect-ratio:9/16;max-height:360px}.pin .media figure{aspect-ratio:2/3;max-height:420px}.wide .media figure{aspect-ratio:16/9}
.title{font-weight:600;overflow-wrap:anywhere;margin:6px 0}
.link{display:block;border:1px solid var(--line);border-radius:10px;padding:8px 10px;overflow-wrap:anywhere}
.facts{border-top:1px solid var(--line);margin-top:10px;padding-top:8px;font-size:13px}
.facts li{margin:2px 0;overflow-wrap:anywhere}
form{display:flex;flex-wrap:wrap;gap:6px 8px;align-items:end;padding:10px 12px;background:var(--card);border:1px solid var(--line);border-radius:10px}
label{display:grid;font-size:13px;color:var(--hush);min-width:0}select,button{font:inherit;color:var(--text);background:var(--back);border:1px solid var(--hush);border-radius:6px;padding:5px 8px;max-width:100%}
.faults{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(280px,100%),1fr));gap:10px}
@media(max-width:720px){.heads{display:none}.days{grid-template-columns:1fr}.days>li{min-height:0}.days>.out,.days>.none{display:none}.days .wd{display:inline}}
`;
