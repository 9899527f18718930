// The embedded composer: makes a template from a shell, a brand and a brief, without a model or a network. The same
// input gives the same template.
import { shortened } from '../../../core/unstable.ts';
import { plainSentences } from '../../kit/brief-sentences.ts';
import { compiledStarters } from '../starters/compiled.gen.ts';
import { light } from '../starters/palette.ts';
import type { Starter } from '../starters/starter.ts';
import { announcement, fillAnnouncement } from './announcement.ts';
import type { ComposedMail } from './composer-reply.ts';
import { type MailStyle, styled } from './style.ts';

/** The input of the embedded composer. */
export interface EmbeddedMailInput {
  readonly brief: string;
  readonly name: string | undefined;
  readonly mode: 'mjml' | 'html';
  readonly shell: Starter;
  readonly style: MailStyle | undefined;
  readonly includeHeroImage: boolean;
  /** Whether the mail ends with an unsubscribe link. */
  readonly isMarketing: boolean;
}

const maxHeading = 80;

/** The sentences of a brief as plain text, without Liquid. Lines count as sentences too. */
const sentencesOf = (brief: string): string[] =>
  brief
    .replace(/[{}]/g, '')
    .split(/\n+/)
    .flatMap(plainSentences)
    .filter((sentence) => /[^.!?\s]/.test(sentence));

const headingOf = (text: string): string => shortened(text.replace(/[.!?。！？]+$/, ''), maxHeading);

/** A placeholder for a picture; it contains no picture. */
const band = {
  mjml: `    <mj-section background-color="${light.accent}" padding="64px 40px"><mj-column><mj-text align="center" color="${light.onAccent}">Your picture goes here</mj-text></mj-column></mj-section>\n`,
  html: `<div style="background-color:${light.accent};color:${light.onAccent};padding:64px 40px;text-align:center">Your picture goes here</div>\n`,
} as const;

function withBand(body: string, mode: 'mjml' | 'html'): string {
  const opening = mode === 'mjml' ? /<mj-body[^<>]*>\n?/ : /<body[^<>]*>\n?/;
  return body.replace(opening, (tag) => tag + band[mode]);
}

function filled({ brief, name, shell, mode }: EmbeddedMailInput): ComposedMail {
  const { subject, previewText, text } = shell;
  if (shell.key !== announcement.key) {
    const body = mode === 'mjml' ? shell.body : (compiledStarters[shell.key]?.html ?? '');
    return { name: shell.name, subject, previewText, body, text };
  }
  const [first = shell.name, ...rest] = sentencesOf(brief);
  const heading = headingOf(sentencesOf(name ?? '').join(' ')) || headingOf(first) || shell.name;
  const said = name === undefined ? rest : [first, ...rest];
  const copy = { heading, paragraphs: said };
  const made = fillAnnouncement(copy);
  return {
    name: heading,
    subject: heading,
    previewText: '',
    body: mode === 'mjml' ? made.body : made.html,
    text: made.text,
  };
}

/** The end of a marketing mail, in the shells' small print. */
const leaving = {
  mjml: `    <mj-section padding="0 41px 48px" css-class="outset"><mj-column><mj-text mj-class="small"><a href="%unsubscribe_url%" class="soft" style="color:${light.soft}">Unsubscribe</a></mj-text></mj-column></mj-section>\n  `,
  html: `<p style="max-width:560px;margin:0 auto;padding:0 16px 32px;font-size:14px"><a href="%unsubscribe_url%" style="color:${light.soft}">Unsubscribe</a></p>\n`,
} as const;

/** Inserts the link before the end tag of the body, which comes from the shell. */
function withLink(body: string, mode: 'mjml' | 'html'): string {
  const at = body.lastIndexOf(mode === 'mjml' ? '</mj-body>' : '</body>');
  return at < 0 ? body : `${body.slice(0, at).trimEnd()}\n${leaving[mode]}${body.slice(at)}`;
}

export function composeEmbedded(input: EmbeddedMailInput): ComposedMail {
  const made = filled(input);
  const body = input.includeHeroImage ? withBand(made.body, input.mode) : made.body;
  if (!input.isMarketing) return { ...made, body: styled(body, input.style) };
  const text = `${made.text.trimEnd()}\nUnsubscribe: %unsubscribe_url%\n`;
  return { ...made, body: styled(withLink(body, input.mode), input.style), text };
}
