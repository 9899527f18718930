// The texts of all starters in one language. Every language has all texts: TypeScript reports each text that is missing.
import { textMark } from './marks.ts';

type Group<Names extends string> = Readonly<Record<Names, string>>;

/**
 * The texts of the starters in one language, for `templatesPlugin({ starters: { texts } })`. Plain texts, without markup.
 * `{slot}` stands for a variable, and each language has the slots of the English text. The texts do not depend on the value or the
 * grammatical form of a variable: the program that sends the mail formats dates, times and amounts.
 */
export type StarterTexts = {
  /** Between a label and its value, and after a line that introduces other lines. */
  readonly colon: Group<'beforeValue' | 'beforeLines'>;
  readonly quoted: string;
  readonly hello: string;
  readonly questions: Group<'write' | 'reply'>;
  /** Parts of the mails with a code or a link. */
  readonly access: Group<
    | 'reason'
    | 'notYou'
    | 'time'
    | 'device'
    | 'near'
    | 'codeFrom'
    | 'linkFrom'
    | 'codeExpires'
    | 'codeExpiresSoon'
    | 'linkExpires'
    | 'linkExpiresSoon'
  >;
  readonly receipt: Group<
    | 'subject'
    | 'previewOn'
    | 'preview'
    | 'title'
    | 'thanks'
    | 'onWith'
    | 'on'
    | 'with'
    | 'item'
    | 'sum'
    | 'amount'
    | 'total'
    | 'order'
    | 'invoice'
    | 'billedTo'
    | 'deliveredTo'
    | 'keep'
    | 'success'
    | 'date'
    | 'paidWith'
    | 'reason'
  >;
  readonly passwordReset: Group<
    'subject' | 'title' | 'asked' | 'askedFor' | 'stays' | 'nothing' | 'preview' | 'copy' | 'reason'
  >;
  readonly loginCode: Group<'subject' | 'title' | 'titleFor' | 'is' | 'enter' | 'mistyped' | 'keep' | 'preview'>;
  readonly magicLink: Group<'title' | 'button' | 'open' | 'copy' | 'ignore'>;
  readonly shippingNotice: Group<
    | 'order'
    | 'packed'
    | 'carrier'
    | 'expected'
    | 'expectedAt'
    | 'number'
    | 'track'
    | 'content'
    | 'goesTo'
    | 'wentTo'
    | 'reason'
  > &
    Readonly<Record<'shipped' | 'out' | 'delivered', Group<'step' | 'subject' | 'headline' | 'lead' | 'preview'>>>;
  readonly welcome: Group<
    | 'subject'
    | 'title'
    | 'headline'
    | 'ready'
    | 'readyAs'
    | 'open'
    | 'start'
    | 'help'
    | 'preview'
    | 'previewStart'
    | 'reason'
  >;
  readonly invitation: Group<
    | 'subject'
    | 'title'
    | 'lead'
    | 'leadFor'
    | 'accept'
    | 'by'
    | 'role'
    | 'until'
    | 'invites'
    | 'invitesAs'
    | 'preview'
    | 'previewAs'
    | 'reason'
  >;
};

type Names<Tree> = {
  [Name in keyof Tree & string]: Tree[Name] extends string ? Name : `${Name}.${Names<Tree[Name]>}`;
}[keyof Tree & string];

/** A mark for a text of the starters. @param slots as in textMark */
export const t = (name: Names<StarterTexts>, slots?: Readonly<Record<string, string>>): string => textMark(name, slots);
