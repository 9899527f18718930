// The labels that screen readers read in texts from Markdown: of tables and footnotes. Filled in when a text is shown, in the language of
// its page. Called by parts.ts.
import { type BuiltInTexts, chooseTexts, pageTexts, type TextsInOneLanguage } from '../page-texts.ts';

interface LabelTexts extends TextsInOneLanguage {
  /** A table. */
  readonly table: string;
  /** The heading of the footnotes. */
  readonly footnotes: string;
  /** The link from a footnote to its reference; contains `{number}`. */
  readonly back: string;
}

const builtIn: BuiltInTexts<LabelTexts> = {
  en: { table: 'Table', footnotes: 'Footnotes', back: 'Back to reference {number}' },
  de: { table: 'Tabelle', footnotes: 'Fußnoten', back: 'Zurück zu Verweis {number}' },
  fr: { table: 'Tableau', footnotes: 'Notes de bas de page', back: 'Retour à l’appel de note {number}' },
  es: { table: 'Tabla', footnotes: 'Notas al pie', back: 'Volver a la llamada {number}' },
  it: { table: 'Tabella', footnotes: 'Note a piè di pagina', back: 'Torna al richiamo {number}' },
  pt: { table: 'Tabela', footnotes: 'Notas de rodapé', back: 'Voltar à referência {number}' },
  nl: { table: 'Tabel', footnotes: 'Voetnoten', back: 'Terug naar verwijzing {number}' },
  pl: { table: 'Tabela', footnotes: 'Przypisy', back: 'Wróć do odsyłacza {number}' },
  ja: { table: '表', footnotes: '脚注', back: '参照箇所 {number} に戻る' },
  ar: { table: 'جدول', footnotes: 'الحواشي', back: 'العودة إلى موضع الحاشية {number}' },
};

const texts = pageTexts(builtIn);

/** The names of the labels. */
export type TextLabel = keyof Omit<LabelTexts, 'direction'>;

/** A label in a language, else in English. @param language a BCP 47 tag */
export const labelIn = (language: string, label: TextLabel, number = ''): string =>
  chooseTexts(texts, language).texts[label].replace('{number}', () => number);
