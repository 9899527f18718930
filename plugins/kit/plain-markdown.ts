// Checks that a text which a composer wrote is Markdown without HTML and pictures. Called by plugins that compose. Pure.

/** Code, whose HTML readers see as text. */
const code = /(`{3,}|~{3,})[\s\S]*?(?:\1|$)|(`+)[\s\S]*?\2/g;

const html = /<\/?[a-z][\w-]*(?=[\s/>])|<!/i;

/** The faults of the text that was answered at `path`. */
export function plainMarkdownFaults(path: string, text: string): string[] {
  const withoutCode = text.replace(code, '');
  return [
    ...(html.test(withoutCode) ? [`${path}: there is HTML in it. Use Markdown alone.`] : []),
    ...(/!\[/.test(withoutCode) ? [`${path}: there is a picture in it. Leave pictures out.`] : []),
  ];
}
