// The embedded composer: makes a template from a shell, a brand and a brief, without a model or a network. The same
// input gives the same template.
import { type BriefFacts, factsOf } from '../../kit/brief-facts.ts';
import { languageOf } from '../../kit/brief-language.ts';
import { placeholder } from '../../kit/placeholders.ts';
import { compiledStarters } from '../starters/compiled.gen.ts';
import { light } from '../starters/palette.ts';
import type { Starter } from '../starters/starter.ts';
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

/** The facts of the brief as paragraphs. Several of one sort have unclear roles, so people say what each is. */
function factLines(
  { dates, places, prices, contacts, quotes, links }: BriefFacts,
  words: MailWords,
  isLinked: boolean,
) {
  const listed = (label: string, found: readonly string[]): string[] =>
    found.length === 1
      ? [`${label}: ${found[0]}`]
      : found.map((text) => `${text}: ${placeholder(words.missing.factFor)}`);
  return [
    ...quotes.slice(0, 5),
    ...listed(words.date, dates),
    ...listed(words.place, places.slice(0, 1)),
    ...listed(words.price, prices),
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

function filled({ brief, name, shell, mode, isLinked }: EmbeddedMailInput): ComposedMail {
  const { subject, previewText, text } = shell;
  if (shell.key !== announcement.key) {
    const body = mode === 'mjml' ? shell.body : (compiledStarters[shell.key]?.html ?? '');
    return { name: shell.name, subject, previewText, body, text };
  }
  const facts = factsOf(brief);
  const language = facts.language ?? 'en';
  const words = mailWords[language];
  const known = facts.name === undefined ? undefined : withoutLiquid(facts.name);
  const heading = known ?? placeholder(words.missing.subject);
  const { lead, body } = words.missing;
  const paragraphs = [placeholder(lead), ...factLines(facts, words, isLinked), placeholder(body)];
  const copy = { heading, paragraphs, language };
  const made = fillAnnouncement(copy);
  return {
    name: name ?? known ?? shell.name,
    subject: heading,
    previewText: '',
    body: mode === 'mjml' ? made.body : made.html,
    text: made.text,
  };
}

/** The end of a marketing mail, in the shells' small print. */
const leaving = (word: string) => ({
  mjml: `    <mj-section padding="0 41px 48px" css-class="outset"><mj-column><mj-text mj-class="small"><a href="%unsubscribe_url%" class="soft" style="color:${light.soft}">${word}</a></mj-text></mj-column></mj-section>\n  `,
  html: `<p style="max-width:560px;margin:0 auto;padding:0 16px 32px;font-size:14px"><a href="%unsubscribe_url%" style="color:${light.soft}">${word}</a></p>\n`,
});

/** Inserts the link before the end tag of the body, which comes from the shell. */
function withLink(body: string, mode: 'mjml' | 'html', word: string): string {
  const at = body.lastIndexOf(mode === 'mjml' ? '</mj-body>' : '</body>');
  return at < 0 ? body : `${body.slice(0, at).trimEnd()}\n${leaving(word)[mode]}${body.slice(at)}`;
}

export function composeEmbedded(input: EmbeddedMailInput): ComposedMail {
  const { mode, shell, style, brief } = input;
  // The starters are in English; only the general shell follows the brief.
  const language = shell.key === announcement.key ? languageOf(brief) : undefined;
  const { unsubscribe, missing } = mailWords[language ?? 'en'];
  const made = filled(input);
  const body = input.includeHeroImage ? withBand(made.body, mode, placeholder(missing.picture)) : made.body;
  if (!input.isMarketing) return { ...made, body: styled(body, style) };
  const text = `${made.text.trimEnd()}\n${unsubscribe}: %unsubscribe_url%\n`;
  return { ...made, body: styled(withLink(body, mode, unsubscribe), style), text };
}
