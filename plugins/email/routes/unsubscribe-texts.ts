// The texts of the unsubscribe page and of the page for links that do not work, in ten languages.
import { type BuiltInTexts, type CompleteTexts, type PageTexts, pageTexts } from '../../../core/unstable.ts';
import type { UnsubscribeTexts } from '../options.ts';

type Complete = CompleteTexts<UnsubscribeTexts>;

/** The texts of one language. The sentences before the button are repeated after it, followed by `close`. */
interface Sentences {
  readonly page: Pick<Complete, 'title' | 'button' | 'doneTitle' | 'incomplete' | 'deadLink'>;
  readonly any: string;
  readonly marketing: string;
  readonly allButSystem: string;
  readonly all: string;
  readonly topic: string;
  readonly close: string;
  readonly stop: string;
  readonly stopAll: string;
}

function textsOf({ page, close, stop, stopAll, ...sentences }: Sentences): Complete {
  const both = (sentence: string) => ({ question: sentence, done: `${sentence}${close}` });
  return {
    ...page,
    ...both(sentences.any),
    scopes: {
      marketing: both(sentences.marketing),
      all_but_system: both(sentences.allButSystem),
      all: both(sentences.all),
    },
    topic: { ...both(sentences.topic), stop, stopAll },
  };
}

const builtIn: BuiltInTexts<UnsubscribeTexts> = {
  en: textsOf({
    page: {
      title: 'Unsubscribe?',
      button: 'Unsubscribe',
      doneTitle: 'You are unsubscribed',
      incomplete: { title: 'Incomplete link', text: 'This link is incomplete. Copy the whole link from the mail.' },
      deadLink: {
        title: 'This link does not work',
        text: 'It is incomplete, or the email is too old. Copy the whole link, or ask the sender.',
      },
    },
    any: 'You will no longer receive these emails.',
    marketing: 'You will get no more marketing emails from {sender}. Others, such as receipts, still come.',
    allButSystem:
      'You will get no more emails from {sender}, except those that your account needs, such as login codes.',
    all: 'You will get no more emails from {sender}, of any kind.',
    topic: 'You will get no more emails about “{topic}” from {sender}.',
    close: ' You can close this page.',
    stop: 'No more marketing mail',
    stopAll: 'No more mail',
  }),
  de: textsOf({
    page: {
      title: 'Abmelden?',
      button: 'Abmelden',
      doneTitle: 'Sie sind abgemeldet',
      incomplete: {
        title: 'Unvollständiger Link',
        text: 'Dieser Link ist unvollständig. Kopieren Sie ihn ganz aus der E-Mail.',
      },
      deadLink: {
        title: 'Dieser Link funktioniert nicht',
        text: 'Er ist unvollständig, oder die E-Mail ist zu alt. Kopieren Sie den ganzen Link, oder fragen Sie den Absender.',
      },
    },
    any: 'Sie erhalten diese E-Mails dann nicht mehr.',
    marketing: 'Sie erhalten keine Werbung von {sender} mehr. Andere E-Mails, etwa Rechnungen, kommen weiterhin.',
    allButSystem:
      'Sie erhalten keine E-Mails von {sender} mehr, außer denen, die Ihr Konto braucht, etwa Anmeldecodes.',
    all: 'Sie erhalten keinerlei E-Mails von {sender} mehr.',
    topic: 'Sie erhalten von {sender} keine E-Mails zum Thema „{topic}“ mehr.',
    close: ' Sie können diese Seite schließen.',
    stop: 'Keine Werbung mehr',
    stopAll: 'Keine E-Mails mehr',
  }),
  fr: textsOf({
    page: {
      title: 'Se désabonner ?',
      button: 'Se désabonner',
      doneTitle: 'Vous êtes désabonné',
      incomplete: { title: 'Lien incomplet', text: 'Ce lien est incomplet. Copiez-le en entier depuis l’e-mail.' },
      deadLink: {
        title: 'Ce lien ne fonctionne pas',
        text: 'Il est incomplet, ou l’e-mail est trop ancien. Copiez le lien en entier, ou demandez à l’expéditeur.',
      },
    },
    any: 'Vous ne recevrez plus ces e-mails.',
    marketing:
      'Vous ne recevrez plus de publicité de {sender}. Les autres e-mails, comme les reçus, arriveront toujours.',
    allButSystem:
      'Vous ne recevrez plus d’e-mails de {sender}, sauf ceux dont votre compte a besoin, comme les codes de connexion.',
    all: 'Vous ne recevrez plus aucun e-mail de {sender}.',
    topic: 'Vous ne recevrez plus d’e-mails de {sender} sur « {topic} ».',
    close: ' Vous pouvez fermer cette page.',
    stop: 'Plus de publicité',
    stopAll: 'Plus d’e-mails',
  }),
  es: textsOf({
    page: {
      title: '¿Darse de baja?',
      button: 'Darse de baja',
      doneTitle: 'Se ha dado de baja',
      incomplete: { title: 'Enlace incompleto', text: 'Este enlace está incompleto. Cópielo entero del correo.' },
      deadLink: {
        title: 'Este enlace no funciona',
        text: 'Está incompleto o el correo es demasiado antiguo. Copie el enlace entero o pregunte al remitente.',
      },
    },
    any: 'Ya no recibirá estos correos.',
    marketing: 'No recibirá más publicidad de {sender}. Otros correos, como los recibos, seguirán llegando.',
    allButSystem: 'No recibirá más correos de {sender}, salvo los que su cuenta necesita, como los códigos de acceso.',
    all: 'No recibirá más correos de {sender}, de ningún tipo.',
    topic: 'No recibirá más correos de {sender} sobre «{topic}».',
    close: ' Puede cerrar esta página.',
    stop: 'No más publicidad',
    stopAll: 'No más correos',
  }),
  it: textsOf({
    page: {
      title: 'Annullare l’iscrizione?',
      button: 'Annulla l’iscrizione',
      doneTitle: 'Iscrizione annullata',
      incomplete: { title: 'Link incompleto', text: 'Questo link è incompleto. Lo copi per intero dall’email.' },
      deadLink: {
        title: 'Questo link non funziona',
        text: 'È incompleto, o l’email è troppo vecchia. Copi il link per intero o chieda al mittente.',
      },
    },
    any: 'Non riceverà più queste email.',
    marketing: 'Non riceverà più pubblicità da {sender}. Altre email, come le ricevute, continueranno ad arrivare.',
    allButSystem:
      'Non riceverà più email da {sender}, tranne quelle necessarie al suo account, come i codici di accesso.',
    all: 'Non riceverà più alcuna email da {sender}.',
    topic: 'Non riceverà più email da {sender} su «{topic}».',
    close: ' Può chiudere questa pagina.',
    stop: 'Basta pubblicità',
    stopAll: 'Basta email',
  }),
  pt: textsOf({
    page: {
      title: 'Cancelar a subscrição?',
      button: 'Cancelar a subscrição',
      doneTitle: 'Subscrição cancelada',
      incomplete: { title: 'Link incompleto', text: 'Este link está incompleto. Copie-o por inteiro do e-mail.' },
      deadLink: {
        title: 'Este link não funciona',
        text: 'Está incompleto, ou o e-mail é demasiado antigo. Copie o link por inteiro ou pergunte ao remetente.',
      },
    },
    any: 'Deixará de receber estes e-mails.',
    marketing: 'Não receberá mais publicidade de {sender}. Outros e-mails, como recibos, continuam a chegar.',
    allButSystem:
      'Não receberá mais e-mails de {sender}, exceto os de que a sua conta precisa, como códigos de acesso.',
    all: 'Não receberá mais e-mails de {sender}, de nenhum tipo.',
    topic: 'Não receberá mais e-mails de {sender} sobre «{topic}».',
    close: ' Pode fechar esta página.',
    stop: 'Mais nenhuma publicidade',
    stopAll: 'Mais nenhum e-mail',
  }),
  nl: textsOf({
    page: {
      title: 'Afmelden?',
      button: 'Afmelden',
      doneTitle: 'U bent afgemeld',
      incomplete: {
        title: 'Onvolledige link',
        text: 'Deze link is onvolledig. Kopieer hem helemaal uit de e-mail.',
      },
      deadLink: {
        title: 'Deze link werkt niet',
        text: 'Hij is onvolledig, of de e-mail is te oud. Kopieer de hele link, of vraag het aan de afzender.',
      },
    },
    any: 'U krijgt deze e-mails niet meer.',
    marketing: 'U krijgt geen reclame meer van {sender}. Andere e-mails, zoals bonnen, blijven komen.',
    allButSystem: 'U krijgt geen e-mails meer van {sender}, behalve die uw account nodig heeft, zoals inlogcodes.',
    all: 'U krijgt geen enkele e-mail meer van {sender}.',
    topic: 'U krijgt geen e-mails meer van {sender} over ‘{topic}’.',
    close: ' U kunt deze pagina sluiten.',
    stop: 'Geen reclame meer',
    stopAll: 'Geen e-mails meer',
  }),
  pl: textsOf({
    page: {
      title: 'Zrezygnować z e-maili?',
      button: 'Rezygnuję',
      doneTitle: 'Rezygnacja przyjęta',
      incomplete: {
        title: 'Niepełny link',
        text: 'Ten link jest niepełny. Proszę skopiować go w całości z e-maila.',
      },
      deadLink: {
        title: 'Ten link nie działa',
        text: 'Jest niepełny albo e-mail jest zbyt stary. Proszę skopiować cały link lub zapytać nadawcę.',
      },
    },
    any: 'Te e-maile nie będą już przychodzić.',
    marketing: 'Reklamy od {sender} nie będą już przychodzić. Inne e-maile, na przykład rachunki, będą.',
    allButSystem:
      'E-maile od {sender} nie będą już przychodzić, poza tymi, których wymaga konto, na przykład z kodami logowania.',
    all: 'Żadne e-maile od {sender} nie będą już przychodzić.',
    topic: 'E-maile od {sender} na temat „{topic}” nie będą już przychodzić.',
    close: ' Można zamknąć tę stronę.',
    stop: 'Żadnych reklam',
    stopAll: 'Żadnych e-maili',
  }),
  ja: textsOf({
    page: {
      title: '配信を停止しますか？',
      button: '配信を停止する',
      doneTitle: '配信を停止しました',
      incomplete: {
        title: 'リンクが不完全です',
        text: 'このリンクは不完全です。メールからリンク全体をコピーしてください。',
      },
      deadLink: {
        title: 'このリンクは使えません',
        text: 'リンクが不完全か、メールが古すぎます。リンク全体をコピーするか、送信者にお問い合わせください。',
      },
    },
    any: '今後、このメールは届きません。',
    marketing: '今後、{sender}からの広告メールは届きません。領収書などのメールは引き続き届きます。',
    allButSystem: '今後、ログインコードなどアカウントに必要なものを除き、{sender}からのメールは届きません。',
    all: '今後、{sender}からのメールは一切届きません。',
    topic: '今後、{sender}から「{topic}」についてのメールは届きません。',
    close: 'このページは閉じてかまいません。',
    stop: '広告メールを停止する',
    stopAll: 'すべてのメールを停止する',
  }),
  ar: textsOf({
    page: {
      title: 'إلغاء الاشتراك؟',
      button: 'إلغاء الاشتراك',
      doneTitle: 'تم إلغاء اشتراكك',
      incomplete: { title: 'رابط ناقص', text: 'هذا الرابط ناقص. انسخه كاملًا من الرسالة.' },
      deadLink: {
        title: 'هذا الرابط لا يعمل',
        text: 'الرابط ناقص، أو الرسالة قديمة جدًا. انسخ الرابط كاملًا أو اسأل المرسل.',
      },
    },
    any: 'لن تصلك هذه الرسائل بعد الآن.',
    marketing: 'لن تصلك رسائل إعلانية من {sender} بعد الآن. الرسائل الأخرى، مثل الإيصالات، ستظل تصلك.',
    allButSystem: 'لن تصلك رسائل من {sender} بعد الآن، إلا ما يحتاجه حسابك، مثل رموز الدخول.',
    all: 'لن تصلك أي رسائل من {sender} بعد الآن.',
    topic: 'لن تصلك رسائل من {sender} عن «{topic}» بعد الآن.',
    close: ' يمكنك إغلاق هذه الصفحة.',
    stop: 'إيقاف الرسائل الإعلانية',
    stopAll: 'إيقاف كل الرسائل',
  }),
};

export type UnsubscribeTextsByLanguage = PageTexts<UnsubscribeTexts>;

/** The built-in texts, and those that the program gives. */
export const unsubscribeTexts = (input?: Readonly<Record<string, UnsubscribeTexts>>): UnsubscribeTextsByLanguage =>
  pageTexts(builtIn, input);

/** The built-in English texts, for parts that the texts of a program lack. */
export const englishUnsubscribe: Complete = builtIn.en;
