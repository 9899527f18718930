// The words of lead magnets that are written without a model, in the languages of the embedded writers.
import type { BriefLanguage } from '../../kit/brief-language.ts';
import type { LeadMagnetFormat } from '../schema.ts';

export interface LeadMagnetWords {
  /** The headings of the first and the last chapter. */
  readonly frames: Readonly<Record<LeadMagnetFormat, { readonly first: string; readonly last: string }>>;
  /** The texts of the placeholders. A number follows `heading`. */
  readonly missing: Readonly<
    Record<'heading' | 'summary' | 'start' | 'text' | 'example' | 'step' | 'end' | 'factFor', string>
  >;
}

export const leadMagnetWords: Readonly<Record<BriefLanguage, LeadMagnetWords>> = {
  en: {
    frames: {
      ebook: { first: 'What this is about', last: 'In short' },
      guide: { first: 'Before you start', last: 'Where to go from here' },
      checklist: { first: 'How to use this checklist', last: 'Before you finish' },
    },
    missing: {
      heading: 'Subject of chapter',
      summary: 'The chapter in one sentence',
      text: 'The text of this chapter',
      start: 'What the subject is, and what readers learn',
      example: 'An example from practice',
      step: 'What to do',
      end: 'The main thoughts in short',
      factFor: 'What this stands for',
    },
  },
  de: {
    frames: {
      ebook: { first: 'Worum es geht', last: 'Kurz gesagt' },
      guide: { first: 'Bevor Sie anfangen', last: 'Wie es weitergeht' },
      checklist: { first: 'So nutzen Sie diese Checkliste', last: 'Zum Schluss' },
    },
    missing: {
      heading: 'Thema von Kapitel',
      summary: 'Das Kapitel in einem Satz',
      text: 'Der Text dieses Kapitels',
      start: 'Was das Thema ist und was man lernt',
      example: 'Ein Beispiel aus der Praxis',
      step: 'Was zu tun ist',
      end: 'Die wichtigsten Gedanken in Kürze',
      factFor: 'Wofür das steht',
    },
  },
  fr: {
    frames: {
      ebook: { first: 'De quoi il s’agit', last: 'En bref' },
      guide: { first: 'Avant de commencer', last: 'Et ensuite' },
      checklist: { first: 'Comment utiliser cette liste', last: 'Avant de finir' },
    },
    missing: {
      heading: 'Sujet du chapitre',
      summary: 'Le chapitre en une phrase',
      text: 'Le texte de ce chapitre',
      start: 'Quel est le sujet, et ce que l’on apprend',
      example: 'Un exemple concret',
      step: 'Ce qu’il faut faire',
      end: 'L’essentiel en bref',
      factFor: 'À quoi cela correspond',
    },
  },
  es: {
    frames: {
      ebook: { first: 'De qué se trata', last: 'En resumen' },
      guide: { first: 'Antes de empezar', last: 'Cómo seguir' },
      checklist: { first: 'Cómo usar esta lista', last: 'Antes de terminar' },
    },
    missing: {
      heading: 'Tema del capítulo',
      summary: 'El capítulo en una frase',
      text: 'El texto de este capítulo',
      start: 'Cuál es el tema y qué se aprende',
      example: 'Un ejemplo de la práctica',
      step: 'Qué hay que hacer',
      end: 'Lo más importante en breve',
      factFor: 'A qué corresponde',
    },
  },
  ja: {
    frames: {
      ebook: { first: 'はじめに', last: 'まとめ' },
      guide: { first: '始める前に', last: '次のステップ' },
      checklist: { first: 'このチェックリストの使い方', last: '最後に' },
    },
    missing: {
      heading: '章の主題',
      summary: 'この章を一文で',
      text: 'この章の本文',
      start: '主題と、読者が学べること',
      example: '実践の例',
      step: 'すること',
      end: '要点のまとめ',
      factFor: 'これが何を指すか',
    },
  },
  ar: {
    frames: {
      ebook: { first: 'عمّ يدور الأمر', last: 'باختصار' },
      guide: { first: 'قبل أن تبدأ', last: 'الخطوة التالية' },
      checklist: { first: 'كيف تستخدم هذه القائمة', last: 'قبل أن تنتهي' },
    },
    missing: {
      heading: 'موضوع الفصل',
      summary: 'الفصل في جملة واحدة',
      text: 'نص هذا الفصل',
      start: 'ما الموضوع وماذا يتعلم القارئ',
      example: 'مثال من الواقع العملي',
      step: 'ما يجب فعله',
      end: 'أهم الأفكار باختصار',
      factFor: 'إلى ماذا يشير هذا',
    },
  },
};
