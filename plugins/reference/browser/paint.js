// Syntax colours of code: ranges over the text, painted by the browser, so that the page needs no markup for them.
// https://www.w3.org/TR/css-highlight-api-1/

const tokens = {
  json: /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|\b(-?\d+(?:\.\d+)?)\b|\b(true|false|null)\b/g,
  js: /([A-Za-z_$][\w$]*)(?=:\s)|('(?:[^'\\]|\\.)*'|`[^`]*`|"(?:[^"\\]|\\.)*")|\b(\d+(?:\.\d+)?)\b|\b(await|const|new|if|throw|import|from|try|catch|return|true|false|null)\b/g,
  shell: /(\$\w+)|("[^"]*"|'[^']*')|(?!)()|(?<=^|\s)(curl|-[XHd])(?=\s)/g,
  http: /^([\w-]+)(?=:)|(?!)()|\b(\d{3})\b(?= \w)|^(POST|HTTP\/1\.1)/gm,
};
const kinds = ['name', 'text', 'number', 'key'];

function paint(pre) {
  const text = pre.firstChild;
  const form = tokens[pre.dataset.lang];
  if (text === null || form === undefined) return;
  for (const match of text.data.matchAll(form)) {
    const kind = match.slice(1).findIndex((found) => found !== undefined && found !== '');
    if (kind === -1) continue;
    const range = new Range();
    range.setStart(text, match.index);
    range.setEnd(text, match.index + match[0].length);
    CSS.highlights.get(kinds[kind]).add(range);
  }
}

/** Paints each panel when it is about to become visible. */
export function setUpPainting() {
  // Forced colours would mark every painted word like a selection.
  if (!('highlights' in CSS) || matchMedia('(forced-colors: active)').matches) return;
  for (const kind of kinds) CSS.highlights.set(kind, new Highlight());
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        for (const pre of target.querySelectorAll('pre')) paint(pre);
      }
    },
    { rootMargin: '400px' },
  );
  for (const panel of document.querySelectorAll('.panel')) seen.observe(panel);
}
