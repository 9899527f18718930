// The fixed texts of lead magnets: the pages for links that no longer work, and the heading of the table of contents.
import {
  type BuiltInTexts,
  chooseTexts,
  type PageTexts,
  pageTexts,
  type TextsInOneLanguage,
} from '../../core/unstable.ts';

interface FixedTexts extends TextsInOneLanguage {
  readonly expiredTitle: string;
  readonly expired: string;
  readonly missingTitle: string;
  readonly missing: string;
  readonly contents: string;
}

const builtIn: BuiltInTexts<FixedTexts> = {
  en: {
    expiredTitle: 'This link has expired',
    expired: 'Links to a download work for 7 days. Fill in the form again to get a new one.',
    missingTitle: 'There is nothing here',
    missing: 'The link is incomplete. Copy the whole link from the mail.',
    contents: 'Contents',
  },
  de: {
    expiredTitle: 'Dieser Link ist abgelaufen',
    expired:
      'Links zum Herunterladen gelten 7 Tage. Füllen Sie das Formular noch einmal aus, um einen neuen zu erhalten.',
    missingTitle: 'Hier ist nichts',
    missing: 'Der Link ist unvollständig. Kopieren Sie ihn ganz aus der E-Mail.',
    contents: 'Inhalt',
  },
  fr: {
    expiredTitle: 'Ce lien a expiré',
    expired:
      'Les liens de téléchargement sont valables 7 jours. Remplissez à nouveau le formulaire pour en obtenir un autre.',
    missingTitle: 'Il n’y a rien ici',
    missing: 'Le lien est incomplet. Copiez-le en entier depuis l’e-mail.',
    contents: 'Sommaire',
  },
  es: {
    expiredTitle: 'Este enlace ha caducado',
    expired: 'Los enlaces de descarga valen 7 días. Rellene otra vez el formulario para recibir uno nuevo.',
    missingTitle: 'Aquí no hay nada',
    missing: 'El enlace está incompleto. Cópielo entero del correo.',
    contents: 'Contenido',
  },
  it: {
    expiredTitle: 'Questo link è scaduto',
    expired: 'I link per scaricare valgono 7 giorni. Compili di nuovo il modulo per riceverne uno nuovo.',
    missingTitle: 'Qui non c’è nulla',
    missing: 'Il link è incompleto. Lo copi per intero dall’email.',
    contents: 'Indice',
  },
  pt: {
    expiredTitle: 'Este link expirou',
    expired: 'Os links para descarregar valem 7 dias. Preencha novamente o formulário para receber um novo.',
    missingTitle: 'Não há nada aqui',
    missing: 'O link está incompleto. Copie-o por inteiro do e-mail.',
    contents: 'Índice',
  },
  nl: {
    expiredTitle: 'Deze link is verlopen',
    expired: 'Links om te downloaden werken 7 dagen. Vul het formulier opnieuw in om een nieuwe te krijgen.',
    missingTitle: 'Hier is niets',
    missing: 'De link is onvolledig. Kopieer hem helemaal uit de e-mail.',
    contents: 'Inhoud',
  },
  pl: {
    expiredTitle: 'Ten link wygasł',
    expired: 'Linki do pobrania działają 7 dni. Aby otrzymać nowy, proszę ponownie wypełnić formularz.',
    missingTitle: 'Tu nic nie ma',
    missing: 'Link jest niepełny. Proszę skopiować go w całości z e-maila.',
    contents: 'Spis treści',
  },
  ja: {
    expiredTitle: 'このリンクは期限切れです',
    expired:
      'ダウンロード用のリンクの有効期間は7日です。新しいリンクが必要な場合は、もう一度フォームを送信してください。',
    missingTitle: 'ページがありません',
    missing: 'リンクが不完全です。メールからリンク全体をコピーしてください。',
    contents: '目次',
  },
  ar: {
    expiredTitle: 'انتهت صلاحية هذا الرابط',
    expired: 'تعمل روابط التنزيل 7 أيام. املأ النموذج مرة أخرى لتحصل على رابط جديد.',
    missingTitle: 'لا يوجد شيء هنا',
    missing: 'الرابط ناقص. انسخه كاملًا من الرسالة.',
    contents: 'المحتويات',
  },
};

export const fixedTexts: PageTexts<FixedTexts> = pageTexts(builtIn);

/** Headings of the table of contents in languages that the pages lack. */
const contentsWords: Readonly<Record<string, string>> = {
  he: 'תוכן העניינים',
  th: 'สารบัญ',
  ko: '차례',
  'zh-Hans': '目录',
  'zh-Hant': '目錄',
};

/** The heading of the table of contents. @param tag a BCP 47 tag */
export function contentsWord(tag: string): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  return (
    contentsWords[`${language}-${script}`] ?? contentsWords[language] ?? chooseTexts(fixedTexts, tag).texts.contents
  );
}
