// The style of the pages of social posts in the console: the calendar, and texts with line breaks.

export const pageStyle = `main{container-type:inline-size}
.choices{display:flex;flex-wrap:wrap;gap:8px 16px;justify-content:space-between}
.words{white-space:pre-wrap;overflow-wrap:anywhere}
.heads,.days{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:1px}
.heads{color:var(--quiet);font-size:13px}.heads li{padding:0 6px}
.days{margin-block-start:4px;background:var(--line);border:1px solid var(--line);border-radius:10px;overflow:hidden}
.days>li{background:var(--card);min-height:104px;padding:6px;min-width:0}.days>.out{background:var(--sunk)}
.day{display:block;font-size:13px;color:var(--quiet);font-variant-numeric:tabular-nums}
.now .day{width:fit-content;padding:0 7px;border-radius:99px;background:var(--accent);color:var(--on-accent);font-weight:600}
.wd{display:none}
.entry{display:block;margin-block-start:4px;padding:4px 6px;border-inline-start:4px solid var(--field-line);border-radius:4px;background:var(--sunk);color:var(--ink);font-size:13px;line-height:18px;overflow-wrap:anywhere;text-decoration:none}
.out .entry{background:var(--card)}a.entry:hover{background:var(--wash)}
.entry.hold,.entry.planned_email{border-inline-start-style:dotted}
.entry.failed,.entry.partially_published{border-inline-start-color:var(--bad)}.entry.published,.entry.sent{border-inline-start-color:var(--good)}.entry.scheduled,.entry.publishing{border-inline-start-color:var(--wait)}
@container (max-width:640px){.heads{display:none}.days{grid-template-columns:minmax(0,1fr)}.days>li{min-height:0}.days>.out,.days>.none{display:none}.wd{display:inline}}
@media (forced-colors:active){.days>li{outline:1px solid}.now .day{border:2px solid Highlight}}
`;
