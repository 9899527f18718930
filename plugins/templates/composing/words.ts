// The words of mails that are written without a model, in the languages of the embedded writers.
import type { BriefLanguage } from '../../kit/brief-language.ts';

export interface MailWords {
  /** Liquid. */
  readonly greeting: string;
  /** Why the mail came; Liquid. */
  readonly reason: string;
  readonly button: string;
  readonly unsubscribe: string;
  readonly date: string;
  readonly place: string;
  readonly price: string;
  /** The texts of the placeholders that people replace. */
  readonly missing: Readonly<Record<'subject' | 'lead' | 'body' | 'factFor' | 'picture', string>>;
}

export const mailWords: Readonly<Record<BriefLanguage, MailWords>> = {
  en: {
    ...{ greeting: 'Hello {{name}},', reason: 'You get this email because you are a customer of {{product}}.' },
    button: 'Read more',
    unsubscribe: 'Unsubscribe',
    date: 'Date',
    place: 'Place',
    price: 'Price',
    missing: {
      subject: 'The subject of the mail',
      lead: 'The news, in one or two sentences',
      body: 'What readers gain by it, and what they can do next',
      factFor: 'What this stands for',
      picture: 'Your picture',
    },
  },
  de: {
    ...{ greeting: 'Hallo {{name}},', reason: 'Sie erhalten diese E-Mail als Kunde von {{product}}.' },
    button: 'Weiterlesen',
    unsubscribe: 'Abmelden',
    date: 'Termin',
    place: 'Ort',
    price: 'Preis',
    missing: {
      subject: 'Der Betreff der E-Mail',
      lead: 'Die Neuigkeit, in ein oder zwei Sätzen',
      body: 'Was Leser davon haben und was sie tun können',
      factFor: 'Wofür das steht',
      picture: 'Ihr Bild',
    },
  },
  fr: {
    ...{ greeting: 'Bonjour {{name}},', reason: 'Vous recevez cet e-mail car vous êtes client de {{product}}.' },
    button: 'Lire la suite',
    unsubscribe: 'Se désabonner',
    date: 'Date',
    place: 'Lieu',
    price: 'Prix',
    missing: {
      subject: 'L’objet de l’e-mail',
      lead: 'La nouvelle, en une ou deux phrases',
      body: 'Ce que les lecteurs y gagnent et ce qu’ils peuvent faire',
      factFor: 'À quoi cela correspond',
      picture: 'Votre image',
    },
  },
  es: {
    ...{ greeting: 'Hola, {{name}}:', reason: 'Recibe este correo porque es cliente de {{product}}.' },
    button: 'Leer más',
    unsubscribe: 'Darse de baja',
    date: 'Fecha',
    place: 'Lugar',
    price: 'Precio',
    missing: {
      subject: 'El asunto del correo',
      lead: 'La noticia, en una o dos frases',
      body: 'Qué gana quien lee y qué puede hacer',
      factFor: 'A qué corresponde',
      picture: 'Su imagen',
    },
  },
  ja: {
    ...{ greeting: '{{name}} 様', reason: 'このメールは {{product}} のお客様にお送りしています。' },
    button: '続きを読む',
    unsubscribe: '配信停止',
    date: '日程',
    place: '場所',
    price: '料金',
    missing: {
      subject: 'メールの件名',
      lead: 'お知らせの内容を一、二文で',
      body: '読者にとっての意味と、次にできること',
      factFor: 'これが何を指すか',
      picture: '画像',
    },
  },
  ar: {
    ...{ greeting: 'مرحبًا {{name}}،', reason: 'تصلك هذه الرسالة لأنك عميل لدى {{product}}.' },
    button: 'اقرأ المزيد',
    unsubscribe: 'إلغاء الاشتراك',
    date: 'التاريخ',
    place: 'المكان',
    price: 'السعر',
    missing: {
      subject: 'موضوع الرسالة',
      lead: 'الخبر في جملة أو جملتين',
      body: 'ما يكسبه القارئ وما يمكنه فعله',
      factFor: 'إلى ماذا يشير هذا',
      picture: 'صورتك',
    },
  },
};
