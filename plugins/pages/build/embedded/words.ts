// The words of pages that are written without a model, in the languages of the embedded writers: headings, labels, and
// the texts of placeholders.
import type { BriefLanguage } from '../../../kit/brief-language.ts';

/** The fixed words of the sections. */
interface FixedWords {
  readonly facts: string;
  readonly about: string;
  readonly benefits: string;
  readonly steps: string;
  readonly audience: string;
  readonly voices: string;
  readonly questions: string;
  readonly call: string;
  readonly ask: string;
  readonly join: string;
  readonly date: string;
  readonly price: string;
  readonly place: string;
  readonly contact: string;
  readonly link: string;
  readonly cost: string;
  readonly when: string;
  readonly where: string;
  readonly how: string;
  readonly withForm: string;
  readonly askText: string;
  readonly joinText: string;
  readonly more: string;
}

/** The texts of the placeholders. */
interface MissingWords {
  readonly title: string;
  readonly lead: string;
  readonly about: string;
  readonly benefit: string;
  readonly benefitText: string;
  readonly step: string;
  readonly stepText: string;
  readonly cost: string;
  readonly when: string;
  readonly where: string;
  readonly dateFor: string;
  readonly priceFor: string;
  readonly quoteFor: string;
  readonly audience: string;
  readonly voice: string;
  readonly voiceName: string;
  readonly banner: string;
}

export interface PageWords {
  readonly fixed: FixedWords;
  readonly missing: MissingWords;
}

export const pageWords: Readonly<Record<BriefLanguage, PageWords>> = {
  en: {
    fixed: {
      facts: 'At a glance',
      about: 'What it is about',
      benefits: 'What you get',
      steps: 'How it works',
      audience: 'Who it is for',
      voices: 'What others say',
      questions: 'Questions and answers',
      call: 'Would you like to know more?',
      ask: 'Get in touch',
      join: 'Sign up',
      more: 'Read more',
      date: 'Date',
      price: 'Price',
      place: 'Place',
      contact: 'Contact',
      link: 'Link',
      cost: 'What does it cost?',
      when: 'When is it?',
      where: 'Where is it?',
      how: 'How can I ask something?',
      withForm: 'With the form on this page.',
      askText: 'Leave your address and your message.',
      joinText: 'Leave your address.',
    },
    missing: {
      title: 'What this page offers, in one line',
      lead: 'Who it is for and what they get',
      about: 'What it is, in a few sentences',
      benefit: 'A benefit',
      benefitText: 'What readers gain by it',
      step: 'A step',
      stepText: 'What happens in this step',
      cost: 'What it costs',
      when: 'When it takes place',
      where: 'Where it takes place',
      dateFor: 'What happens on this date',
      priceFor: 'What this price is for',
      quoteFor: 'What these words are about',
      audience: 'A group of people whom it suits',
      voice: 'What a customer says',
      voiceName: 'Name of the customer',
      banner: 'The most important sentence',
    },
  },
  de: {
    fixed: {
      facts: 'Auf einen Blick',
      about: 'Worum es geht',
      benefits: 'Was Sie davon haben',
      steps: 'So läuft es ab',
      audience: 'Für wen es ist',
      voices: 'Was andere sagen',
      questions: 'Fragen und Antworten',
      call: 'Möchten Sie mehr wissen?',
      ask: 'Kontakt aufnehmen',
      join: 'Anmelden',
      more: 'Weiterlesen',
      date: 'Termin',
      price: 'Preis',
      place: 'Ort',
      contact: 'Kontakt',
      link: 'Link',
      cost: 'Was kostet es?',
      when: 'Wann ist es?',
      where: 'Wo ist es?',
      how: 'Wie kann ich etwas fragen?',
      withForm: 'Mit dem Formular auf dieser Seite.',
      askText: 'Hinterlassen Sie Ihre Adresse und Ihre Nachricht.',
      joinText: 'Hinterlassen Sie Ihre Adresse.',
    },
    missing: {
      title: 'Was diese Seite bietet, in einer Zeile',
      lead: 'Für wen es ist und was man bekommt',
      about: 'Was es ist, in wenigen Sätzen',
      benefit: 'Ein Vorteil',
      benefitText: 'Was Leser davon haben',
      step: 'Ein Schritt',
      stepText: 'Was in diesem Schritt geschieht',
      cost: 'Was es kostet',
      when: 'Wann es stattfindet',
      where: 'Wo es stattfindet',
      dateFor: 'Was an diesem Tag geschieht',
      priceFor: 'Wofür dieser Preis gilt',
      quoteFor: 'Worum es bei diesen Worten geht',
      audience: 'Eine Gruppe, zu der es passt',
      voice: 'Was eine Kundin oder ein Kunde sagt',
      voiceName: 'Name der Kundin oder des Kunden',
      banner: 'Der wichtigste Satz',
    },
  },
  fr: {
    fixed: {
      facts: 'En un coup d’œil',
      about: 'De quoi il s’agit',
      benefits: 'Ce que vous y gagnez',
      steps: 'Comment ça se passe',
      audience: 'Pour qui',
      voices: 'Ce qu’en disent les autres',
      questions: 'Questions et réponses',
      call: 'Envie d’en savoir plus ?',
      ask: 'Nous écrire',
      join: 'S’inscrire',
      more: 'Lire la suite',
      date: 'Date',
      price: 'Prix',
      place: 'Lieu',
      contact: 'Contact',
      link: 'Lien',
      cost: 'Combien ça coûte ?',
      when: 'Quand ?',
      where: 'Où ?',
      how: 'Comment poser une question ?',
      withForm: 'Avec le formulaire de cette page.',
      askText: 'Laissez votre adresse et votre message.',
      joinText: 'Laissez votre adresse.',
    },
    missing: {
      title: 'Ce que propose cette page, en une ligne',
      lead: 'Pour qui, et ce qu’on y trouve',
      about: 'Ce que c’est, en quelques phrases',
      benefit: 'Un avantage',
      benefitText: 'Ce que les lecteurs y gagnent',
      step: 'Une étape',
      stepText: 'Ce qui se passe à cette étape',
      cost: 'Combien ça coûte',
      when: 'Quand cela a lieu',
      where: 'Où cela a lieu',
      dateFor: 'Ce qui se passe à cette date',
      priceFor: 'À quoi correspond ce prix',
      quoteFor: 'De quoi parlent ces mots',
      audience: 'Un groupe à qui cela convient',
      voice: 'Ce que dit un client',
      voiceName: 'Nom du client',
      banner: 'La phrase la plus importante',
    },
  },
  es: {
    fixed: {
      facts: 'De un vistazo',
      about: 'De qué se trata',
      benefits: 'Qué obtiene usted',
      steps: 'Cómo funciona',
      audience: 'Para quién es',
      voices: 'Qué dicen otros',
      questions: 'Preguntas y respuestas',
      call: '¿Quiere saber más?',
      ask: 'Contactar',
      join: 'Inscribirse',
      more: 'Leer más',
      date: 'Fecha',
      price: 'Precio',
      place: 'Lugar',
      contact: 'Contacto',
      link: 'Enlace',
      cost: '¿Cuánto cuesta?',
      when: '¿Cuándo es?',
      where: '¿Dónde es?',
      how: '¿Cómo puedo preguntar algo?',
      withForm: 'Con el formulario de esta página.',
      askText: 'Deje su dirección y su mensaje.',
      joinText: 'Deje su dirección.',
    },
    missing: {
      title: 'Qué ofrece esta página, en una línea',
      lead: 'Para quién es y qué obtiene',
      about: 'Qué es, en unas frases',
      benefit: 'Una ventaja',
      benefitText: 'Qué gana quien lee',
      step: 'Un paso',
      stepText: 'Qué ocurre en este paso',
      cost: 'Cuánto cuesta',
      when: 'Cuándo tiene lugar',
      where: 'Dónde tiene lugar',
      dateFor: 'Qué ocurre en esta fecha',
      priceFor: 'A qué corresponde este precio',
      quoteFor: 'De qué tratan estas palabras',
      audience: 'Un grupo al que le conviene',
      voice: 'Qué dice un cliente',
      voiceName: 'Nombre del cliente',
      banner: 'La frase más importante',
    },
  },
  ja: {
    fixed: {
      facts: '概要',
      about: '内容について',
      benefits: '得られること',
      steps: '流れ',
      audience: '対象となる方',
      voices: 'お客様の声',
      questions: 'よくある質問',
      call: 'もっと知りたい方へ',
      ask: 'お問い合わせ',
      join: '申し込む',
      more: '続きを読む',
      date: '日程',
      price: '料金',
      place: '場所',
      contact: '連絡先',
      link: 'リンク',
      cost: '料金はいくらですか？',
      when: 'いつですか？',
      where: 'どこですか？',
      how: '質問するにはどうすればよいですか？',
      withForm: 'このページのフォームからどうぞ。',
      askText: 'メールアドレスとメッセージをご記入ください。',
      joinText: 'メールアドレスをご記入ください。',
    },
    missing: {
      title: 'このページの内容を一行で',
      lead: '誰のためのもので、何が得られるか',
      about: 'どのようなものか、数文で',
      benefit: '利点',
      benefitText: '読者にとっての意味',
      step: '手順',
      stepText: 'この手順で行うこと',
      cost: '料金',
      when: '開催日時',
      where: '開催場所',
      dateFor: 'この日に行われること',
      priceFor: 'この料金に含まれるもの',
      quoteFor: 'この言葉が指すもの',
      audience: '向いている方',
      voice: 'お客様の言葉',
      voiceName: 'お客様のお名前',
      banner: '最も大切な一文',
    },
  },
  ar: {
    fixed: {
      facts: 'لمحة سريعة',
      about: 'عمّ يدور الأمر',
      benefits: 'ما الذي تحصل عليه',
      steps: 'كيف يتم ذلك',
      audience: 'لمن هذا',
      voices: 'ماذا يقول الآخرون',
      questions: 'أسئلة وأجوبة',
      call: 'هل تود معرفة المزيد؟',
      ask: 'تواصل معنا',
      join: 'سجّل الآن',
      more: 'اقرأ المزيد',
      date: 'التاريخ',
      price: 'السعر',
      place: 'المكان',
      contact: 'للتواصل',
      link: 'الرابط',
      cost: 'كم التكلفة؟',
      when: 'متى؟',
      where: 'أين؟',
      how: 'كيف يمكنني طرح سؤال؟',
      withForm: 'عبر النموذج في هذه الصفحة.',
      askText: 'اترك عنوانك ورسالتك.',
      joinText: 'اترك عنوانك.',
    },
    missing: {
      title: 'ما تقدمه هذه الصفحة في سطر واحد',
      lead: 'لمن هذا وما الذي يحصلون عليه',
      about: 'ما هو، في بضع جمل',
      benefit: 'ميزة',
      benefitText: 'ما يكسبه القارئ منها',
      step: 'خطوة',
      stepText: 'ما يحدث في هذه الخطوة',
      cost: 'كم يكلف',
      when: 'متى يقام',
      where: 'أين يقام',
      dateFor: 'ما يحدث في هذا التاريخ',
      priceFor: 'ما الذي يشمله هذا السعر',
      quoteFor: 'عمّ تتحدث هذه الكلمات',
      audience: 'فئة يناسبها هذا',
      voice: 'ما يقوله أحد العملاء',
      voiceName: 'اسم العميل',
      banner: 'الجملة الأهم',
    },
  },
};
