// A mail in a real browser, as a mail client would show it: light, dark, or recoloured like in Outlook.com. For tests of the appearance
// of mails. The network is off, and if the mail requests anything, the test fails.
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './page-browser.ts';

export type MailColourScheme = 'light' | 'dark' | 'outlook';

/** The measurements of a mail. */
export interface MailMeasures {
  readonly language: string;
  readonly scrollWidth: number;
  /** The left and right edges of visible text. A card cuts off text that is too wide, without a scroll bar. */
  readonly edges: { readonly left: number; readonly right: number };
  /** Each visible text with the contrast of its colour to its background, its size and both colours. */
  readonly texts: readonly { text: string; contrast: number; size: number; colour: string; background: string }[];
  /** Links on their own lines, with their height */
  readonly targets: readonly { text: string; height: number }[];
  /** The levels of the headings, in order. */
  readonly headings: readonly number[];
  /** Images without alternative text. */
  readonly imagesWithoutAlt: readonly string[];
}

/** Runs in the page. It is a string, because the tests are not compiled for a browser. */
const measure = `(() => {
  const rgb = (value) => {
    const [r, g, b, a = 1] = value.match(/[\\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (rgb(backgroundColor).a === 1) return backgroundColor;
    }
    throw new Error('Nothing is behind the text.');
  };
  const isShown = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { display, opacity } = getComputedStyle(at);
      if (display === 'none' || opacity === '0') return false;
    }
    return true;
  };
  const texts = [];
  const edges = { left: Infinity, right: -Infinity };
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const element = node.parentElement;
    if (text === '' || !isShown(element)) continue;
    range.selectNodeContents(node);
    for (const { left, right } of range.getClientRects()) {
      edges.left = Math.min(edges.left, left);
      edges.right = Math.max(edges.right, right);
    }
    const { color, fontSize } = getComputedStyle(element);
    const background = backgroundOf(element);
    texts.push({ text, colour: color, background, size: parseFloat(fontSize), contrast: contrast(rgb(color), rgb(background)) });
  }
  const targets = [...document.querySelectorAll('a')]
    .filter((link) => getComputedStyle(link).display !== 'inline' || link.parentElement.textContent.trim() === link.textContent.trim())
    .map((link) => ({ text: link.textContent.trim(), height: link.getBoundingClientRect().height }));
  return {
    language: document.documentElement.lang,
    scrollWidth: document.documentElement.scrollWidth,
    edges,
    texts,
    targets,
    headings: [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(({ tagName }) => Number(tagName[1])),
    imagesWithoutAlt: [...document.querySelectorAll('img')].filter((image) => !image.alt).map(({ src }) => src),
  };
})()`;

/** Outlook.com's changes to a mail in dark mode, as far as style sheets can react to them. */
const repaint = `for (const name of ['data-ogsc', 'data-ogsb']) document.documentElement.setAttribute(name, '');`;

/** A browser that shows one mail at a time. Close it at the end. */
export class MailBrowser {
  readonly #browser: Browser;
  readonly #page: Page;
  #asked: string[] = [];

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  static async open(): Promise<MailBrowser> {
    const browser = await openBrowser();
    const page = await browser.newPage();
    const mailBrowser = new MailBrowser(browser, page);
    await page.route('**/*', (route) => {
      mailBrowser.#asked.push(route.request().url());
      return route.abort();
    });
    return mailBrowser;
  }

  /** Shows a mail to `use`. @throws if the mail requests anything */
  async show<T>(html: string, width: number, look: MailColourScheme, use: (page: Page) => Promise<T>): Promise<T> {
    const page = this.#page;
    this.#asked = [];
    await page.setViewportSize({ width, height: 600 });
    await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' });
    await page.setContent(html);
    if (look === 'outlook') await page.evaluate(repaint);
    const result = await use(page);
    if (this.#asked.length > 0) throw new Error(`The mail asks for ${this.#asked.join(', ')}.`);
    return result;
  }

  measure(html: string, width: number, look: MailColourScheme): Promise<MailMeasures> {
    return this.show(html, width, look, (page) => page.evaluate<MailMeasures>(measure));
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
