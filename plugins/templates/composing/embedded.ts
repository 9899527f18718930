// The embedded composer: makes a template from a shell, a brand and a brief, without a model or a network. The same
// input gives the same template.
import { type BriefFacts, factsOf } from '../../kit/brief-facts.ts';
import { type BriefLanguage, languageOf } from '../../kit/brief-language.ts';
import { placeholder } from '../../kit/placeholders.ts';
import { starterLayouts } from '../starters/catalogue.ts';
import { compiledHtml } from '../starters/languages.ts';
import { light } from '../starters/palette.ts';
import { type Starter, starterIn } from '../starters/starter.ts';
import { starterTexts } from '../starters/texts/index.ts';
import { announcement, fillAnnouncement } from './announcement.ts';
import type { ComposedMail } from './composer-reply.ts';
import { type MailStyle, styled } from './style.ts';
import { type MailWords, mailWords } from './words.ts';

/** The input of the embedded composer. */
export interface EmbeddedMailInput {
  readonly brief: string;
  readonly name: string | undefined;
  readonly mode: 'mjml' | 'html';
  readonly shell: Starter;
  readonly style: MailStyle | undefined;
  readonly includeHeroImage: boolean;
  /** Whether the mail has a button that leads to an address. */
  readonly isLinked: boolean;
  /** Whether the mail ends with an unsubscribe link. */
  readonly isMarketing: boolean;
}

const withoutLiquid = (text: string): string => text.replace(/[{}]/g, '').trim();

/** The facts of the brief as paragraphs. If there are several facts of one sort, each gets a placeholder for its unknown role. */
function factLines(
  { dates, places, prices, contacts, quotes, links }: BriefFacts,
  words: MailWords,
  isLinked: boolean,
) {
  const linesFor = (label: string, facts: readonly string[]): string[] =>
    facts.length === 1
      ? [`${label}: ${facts[0]}`]
      : facts.map((text) => `${text}: ${placeholder(words.missing.factFor)}`);
  return [
    ...quotes.slice(0, 5),
    ...linesFor(words.date, dates),
    ...linesFor(words.place, places.slice(0, 1)),
    ...linesFor(words.price, prices),
    ...(isLinked ? [] : links),
    ...contacts.slice(0, 1),
  ].map(withoutLiquid);
}

/** A band where a picture can be put; it contains no picture. */
const band = (text: string) => ({
  mjml: `    <mj-section background-color="${light.accent}" padding="64px 40px"><mj-column><mj-text align="center" color="${light.onAccent}">${text}</mj-text></mj-column></mj-section>\n`,
  html: `<div style="background-color:${light.accent};color:${light.onAccent};padding:64px 40px;text-align:center">${text}</div>\n`,
});

function withBand(body: string, mode: 'mjml' | 'html', text: string): string {
  const opening = mode === 'mjml' ? /<mj-body[^<>]*>\n?/ : /<body[^<>]*>\n?/;
  return body.replace(opening, (tag) => tag + band(text)[mode]);
}

/** A starter in the language of the brief. */
function filledStarter({ mode, shell }: EmbeddedMailInput, language: BriefLanguage): ComposedMail {
  const words = { language, texts: starterTexts[language] };
  const layout = starterLayouts.find(({ key }) => key === shell.key);
  const { name, subject, previewText, body, text } = layout === undefined ? shell : starterIn(layout, words);
  return { name, subject, previewText, body: mode === 'mjml' ? body : compiledHtml(shell.key, words), text };
}

function filledShell(input: EmbeddedMailInput, language: BriefLanguage): ComposedMail {
  const { brief, name, shell, mode, isLinked } = input;
  if (shell.key !== announcement.key) return filledStarter(input, language);
  const facts = factsOf(brief);
  const words = mailWords[language];
  const knownName = facts.name === undefined ? undefined : withoutLiquid(facts.name);
  const heading = knownName ?? placeholder(words.missing.subject);
  const { lead, body } = words.missing;
  const paragraphs = [placeholder(lead), ...factLines(facts, words, isLinked), placeholder(body)];
  const copy = { heading, paragraphs, language };
  const announcementMail = fillAnnouncement(copy);
  return {
    name: name ?? knownName ?? shell.name,
    subject: heading,
    previewText: '',
    body: mode === 'mjml' ? announcementMail.body : announcementMail.html,
    text: announcementMail.text,
  };
}

/** The unsubscribe link at the end of a marketing mail, in the style of the shells' small print. */
const unsubscribeFooter = (word: string) => ({
  mjml: `    <mj-section padding="0 41px 48px" css-class="outset"><mj-column><mj-text mj-class="small"><a href="%unsubscribe_url%" class="soft" style="color:${light.soft}">${word}</a></mj-text></mj-column></mj-section>\n  `,
  html: `<p style="max-width:560px;margin:0 auto;padding:0 16px 32px;font-size:14px"><a href="%unsubscribe_url%" style="color:${light.soft}">${word}</a></p>\n`,
});

/** Inserts the link before the end tag of the body, which comes from the shell. */
function withUnsubscribeLink(body: string, mode: 'mjml' | 'html', word: string): string {
  const bodyEnd = body.lastIndexOf(mode === 'mjml' ? '</mj-body>' : '</body>');
  return bodyEnd < 0
    ? body
    : `${body.slice(0, bodyEnd).trimEnd()}\n${unsubscribeFooter(word)[mode]}${body.slice(bodyEnd)}`;
}

export function composeEmbedded(input: EmbeddedMailInput): ComposedMail {
  const { mode, style, brief } = input;
  const language = languageOf(brief) ?? 'en';
  const { unsubscribe, missing } = mailWords[language];
  const composed = filledShell(input, language);
  const body = input.includeHeroImage ? withBand(composed.body, mode, placeholder(missing.picture)) : composed.body;
  if (!input.isMarketing) return { ...composed, body: styled(body, style) };
  const text = `${composed.text.trimEnd()}\n${unsubscribe}: %unsubscribe_url%\n`;
  return { ...composed, body: styled(withUnsubscribeLink(body, mode, unsubscribe), style), text };
}
