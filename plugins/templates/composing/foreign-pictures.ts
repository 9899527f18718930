// Finds pictures and styles that a composed mail would load from other places than the brand's logo. Such a picture
// tells its host who opened the mail, and with a variable in its URL what the mail says. Pure.
import { HtmlPosition } from '../language/html-position.ts';

/** Attributes whose URL is loaded without a click. */
const loadedAttributes: ReadonlySet<string> = new Set([
  ...['src', 'srcset', 'background', 'poster', 'background-url', 'thumbnails-src', 'icon-wrapped-url'],
  ...['icon-unwrapped-url', 'lowsrc', 'dynsrc'],
]);

/** The logo of the brand or the theme. Only a send can give the first one another URL. */
const logoVariable = /^\{\{-?\s*(?:logo_url|theme\.logo\.\w+)\s*-?\}\}$/;

const loadingCss = /@import|url\s*\(|image-set\s*\(|src\s*:/i;

/** The faults of a body in HTML or MJML. `logoUrl`: the URL of the brand's logo, if there is one. */
export function foreignPictures(body: string, logoUrl: string | undefined): string[] {
  const faults = new Set<string>();
  const refuse = (name: string, value: string) =>
    faults.add(`body: ${name} loads ${value.slice(0, 100)}. Use no picture besides the logo of the brand.`);
  const checkCss = (css: string): void => {
    const [sign] = loadingCss.exec(css) ?? [];
    if (sign !== undefined) refuse('a style', sign);
  };
  const position = new HtmlPosition({
    element: () => undefined,
    attribute(element, name, value) {
      const url = value.trim();
      const isLoaded = loadedAttributes.has(name) || (name === 'href' && (element === 'link' || element === 'mj-font'));
      if (isLoaded && url !== '' && url !== logoUrl && !logoVariable.test(url)) refuse(name, url);
      if (name === 'style') checkCss(value);
    },
    rawText: (_element, text) => checkCss(text),
    ambiguous: () => undefined,
  });
  // Tags of Liquid print nothing, so that the markup on both sides of them may be one.
  position.feed(body.replace(/\{%[\s\S]*?%\}/g, ''), 0);
  return [...faults];
}
