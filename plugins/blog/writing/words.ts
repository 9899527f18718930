// The words of posts that are written without a model, in the languages of the embedded writers.
import type { BriefLanguage } from '../../kit/brief-language.ts';

export interface PostWords {
  /** Headings and labels. */
  readonly fixed: Readonly<
    Record<'facts' | 'about' | 'benefits' | 'more' | 'questions' | 'write' | 'date' | 'place' | 'price', string>
  >;
  /** The texts of the placeholders. */
  readonly missing: Readonly<Record<'title' | 'excerpt' | 'lead' | 'about' | 'benefits' | 'factFor', string>>;
}

export const postWords: Readonly<Record<BriefLanguage, PostWords>> = {
  en: {
    fixed: {
      facts: 'At a glance',
      about: 'What it is about',
      benefits: 'What it means for you',
      more: 'Read more',
      questions: 'Questions?',
      write: 'Write to:',
      date: 'Date',
      place: 'Place',
      price: 'Price',
    },
    missing: {
      title: 'The title of the post',
      excerpt: 'The post in one sentence',
      lead: 'The news, in one or two sentences',
      about: 'What happened, and why',
      benefits: 'What readers gain by it',
      factFor: 'What this stands for',
    },
  },
  de: {
    fixed: {
      facts: 'Auf einen Blick',
      about: 'Worum es geht',
      benefits: 'Was es für Sie bedeutet',
      more: 'Mehr dazu',
      questions: 'Fragen?',
      write: 'Schreiben Sie an:',
      date: 'Termin',
      place: 'Ort',
      price: 'Preis',
    },
    missing: {
      title: 'Der Titel des Beitrags',
      excerpt: 'Der Beitrag in einem Satz',
      lead: 'Die Neuigkeit, in ein oder zwei Sätzen',
      about: 'Was geschehen ist, und warum',
      benefits: 'Was Leser davon haben',
      factFor: 'Wofür das steht',
    },
  },
  fr: {
    fixed: {
      facts: 'En un coup d’œil',
      about: 'De quoi il s’agit',
      benefits: 'Ce que cela change pour vous',
      more: 'En savoir plus',
      questions: 'Des questions ?',
      write: 'Écrivez à :',
      date: 'Date',
      place: 'Lieu',
      price: 'Prix',
    },
    missing: {
      title: 'Le titre de l’article',
      excerpt: 'L’article en une phrase',
      lead: 'La nouvelle, en une ou deux phrases',
      about: 'Ce qui s’est passé, et pourquoi',
      benefits: 'Ce que les lecteurs y gagnent',
      factFor: 'À quoi cela correspond',
    },
  },
  es: {
    fixed: {
      facts: 'De un vistazo',
      about: 'De qué se trata',
      benefits: 'Qué significa para usted',
      more: 'Más',
      questions: '¿Preguntas?',
      write: 'Escriba a:',
      date: 'Fecha',
      place: 'Lugar',
      price: 'Precio',
    },
    missing: {
      title: 'El título de la entrada',
      excerpt: 'La entrada en una frase',
      lead: 'La noticia, en una o dos frases',
      about: 'Qué ha pasado y por qué',
      benefits: 'Qué gana quien lee',
      factFor: 'A qué corresponde',
    },
  },
  ja: {
    fixed: {
      facts: '概要',
      about: '内容について',
      benefits: '読者の皆様へ',
      more: '関連リンク',
      questions: 'ご質問は',
      write: '連絡先：',
      date: '日程',
      place: '場所',
      price: '料金',
    },
    missing: {
      title: '記事のタイトル',
      excerpt: '記事を一文で',
      lead: 'お知らせの内容を一、二文で',
      about: '何が、なぜ起きたか',
      benefits: '読者にとっての意味',
      factFor: 'これが何を指すか',
    },
  },
  ar: {
    fixed: {
      facts: 'لمحة سريعة',
      about: 'عمّ يدور الأمر',
      benefits: 'ماذا يعني لك',
      more: 'اقرأ المزيد',
      questions: 'أسئلة؟',
      write: 'اكتب إلى:',
      date: 'التاريخ',
      place: 'المكان',
      price: 'السعر',
    },
    missing: {
      title: 'عنوان المقال',
      excerpt: 'المقال في جملة واحدة',
      lead: 'الخبر في جملة أو جملتين',
      about: 'ما الذي حدث ولماذا',
      benefits: 'ما يكسبه القارئ',
      factFor: 'إلى ماذا يشير هذا',
    },
  },
};
