// The styles that the page of social posts adds to the console style: cards, the calendar, the choice of faults.
import { cardRules } from '../preview/style.ts';

/** Maps the colour names of the cards to the colours of consoles. */
const names =
  ':root{--soft:var(--quiet);--faint:var(--line);--shade:var(--sunk);--paper:var(--page);--out:var(--bad);--in:var(--good)}';

export const style = `${names}${cardRules}main{container-type:inline-size}
.head{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;margin-bottom:.25rem}
.head h1{font-size:1.5rem;margin:0;overflow-wrap:anywhere}
.days{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:1px;margin-top:.25rem;background:var(--line);border:1px solid var(--line);border-radius:10px;overflow:hidden}
.days>li{background:var(--card);min-height:6.5rem;padding:.375rem;min-width:0}.days>.out{background:var(--sunk)}
.days time.day{display:block;font-size:.8125rem;color:var(--quiet);font-variant-numeric:tabular-nums}
.days .now time.day{width:fit-content;padding:0 .4rem;border-radius:99px;background:var(--link);color:var(--card);font-weight:700}
.days .wd{display:none}
.heads{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:1px;margin-top:.75rem;color:var(--quiet);font-size:.8125rem}.heads li{padding:0 .375rem}
.entry{display:block;margin:.25rem 0 0;padding:.25rem .375rem;border-left:4px solid var(--field-line);border-radius:4px;background:var(--sunk);color:var(--ink);font-size:.8125rem;line-height:1.35;overflow-wrap:anywhere;text-decoration:none}
a.entry:hover{background:var(--wash)}
.entry.hold{border-left-style:dotted}.entry.failed,.entry.partially_published{border-left-color:var(--bad)}.entry.published{border-left-color:var(--good)}.entry.scheduled,.entry.publishing{border-left-color:var(--slow)}
details{margin-top:.75rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:10px;background:var(--card)}
summary{cursor:pointer;font-weight:600}details .cards,.faults{margin-top:.75rem}
.faults{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr));gap:.625rem}
form{display:flex;gap:.5rem;align-items:end;min-width:0}form .field{flex:1}
@container (max-width:40rem){.heads{display:none}.days{grid-template-columns:minmax(0,1fr)}.days>li{min-height:0}.days>.out,.days>.none{display:none}.days .wd{display:inline}}
@media (forced-colors:active){.days>li{outline:1px solid}.days .now time.day{border:2px solid Highlight}}
`;
