// Descriptions of the OpenAPI document as HTML: paragraphs, `code`, links. Markup in them is escaped.
import { type Html, type HtmlPart, html } from '../../core/unstable.ts';

const address = /(https?:\/\/[^\s)`<>]+[^\s)`<>.,;:])/;

/** Text with its URLs as links. */
const linked = (text: string): HtmlPart =>
  text.split(address).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));

/** One line of text, with `code` and URLs. */
export const inline = (text: string): HtmlPart =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : linked(part)));

/** Paragraphs, divided by empty lines. */
export const paragraphs = (text: string): Html =>
  html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;

/** Text as a sentence. */
export const sentence = (text: string): string => (/[.!?)]$/.test(text) ? text : `${text}.`);
