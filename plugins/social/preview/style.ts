// The style of posts as cards.

import { pageColours } from '../../../core/unstable.ts';

/** The style of the cards alone. It uses the colour names of `pageColours`. */
const cardRules = `h3{font-size:15px;margin:0}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr));gap:16px;align-items:start}
.card{background:var(--card);border:1px solid var(--faint);border-radius:12px;padding:14px;min-width:0}
.card header{display:flex;gap:10px;align-items:center;margin-bottom:8px}.card header div{min-width:0;overflow-wrap:anywhere}
.face{flex:none;width:40px;height:40px;border-radius:50%;display:grid;place-items:center;background:var(--shade);font-weight:600}
.square .face{border-radius:8px}
.card h2{font-size:17px;margin:0 0 4px}.card section{margin-top:12px}
.words{white-space:pre-wrap;overflow-wrap:anywhere;margin:8px 0}
.part{border-inline-start:2px solid var(--faint);padding-inline-start:12px;margin-inline-start:19px}
.media{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(120px,100%),1fr));gap:4px;border-radius:10px;overflow:hidden;margin:8px 0}
.media figure{margin:0;background:var(--shade);min-height:80px;display:grid;place-items:center}.media img{display:block;width:100%;height:100%;max-height:320px;object-fit:cover}
.tall .media figure{aspect-ratio:9/16;max-height:360px}.pin .media figure{aspect-ratio:2/3;max-height:420px}.wide .media figure{aspect-ratio:16/9}
.title{font-weight:600;overflow-wrap:anywhere;margin:6px 0}
.link{display:block;border:1px solid var(--faint);border-radius:10px;padding:8px 10px;overflow-wrap:anywhere}
.facts{border-top:1px solid var(--faint);margin-top:10px;padding-top:8px;font-size:13px}
.facts li{margin:2px 0;overflow-wrap:anywhere}
`;

/** The style of a page that contains only cards. */
export const cardStyle = `${pageColours}*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
a{color:var(--link)}p{margin:6px 0}.hush{color:var(--soft)}.bad{color:var(--out)}
ul,ol{list-style:none;margin:0;padding:0}
${cardRules}`;
