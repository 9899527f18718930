// The texts of the pages that visitors see in place of a destination.
import { type BuiltInTexts, type PageTexts, pageTexts } from '../../../core/unstable.ts';

interface LinkPageText {
  readonly title: string;
  readonly text: string;
}

/** The texts of the pages of short links in one language. */
export interface LinkTexts {
  /** (Default: the direction of the language) */
  readonly direction?: 'ltr' | 'rtl';
  /** The link does not exist, or is not live yet. */
  readonly missing: LinkPageText;
  readonly expired: LinkPageText;
  readonly disabled: LinkPageText;
  readonly archived: LinkPageText;
  readonly password: {
    readonly title: string;
    readonly label: string;
    readonly button: string;
    readonly wrong: string;
  };
}

const builtIn: BuiltInTexts<LinkTexts> = {
  en: {
    missing: {
      title: 'This link does not work',
      text: 'Check that it is complete, or ask the person who gave it to you.',
    },
    expired: { title: 'This link has expired', text: 'Ask the person who gave it to you for a new one.' },
    disabled: { title: 'This link was disabled', text: 'It no longer leads anywhere.' },
    archived: { title: 'This link is no longer in use', text: 'Its owner has archived it.' },
    password: {
      title: 'This link is protected by a password',
      label: 'Password',
      button: 'Continue',
      wrong: 'That is not the password. Try again.',
    },
  },
  de: {
    missing: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Prüfen Sie, ob er vollständig ist, oder fragen Sie die Person, von der Sie ihn haben.',
    },
    expired: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
    },
    disabled: { title: 'Dieser Link wurde gesperrt', text: 'Er führt nirgendwo mehr hin.' },
    archived: { title: 'Dieser Link wird nicht mehr verwendet', text: 'Er wurde archiviert.' },
    password: {
      title: 'Dieser Link ist mit einem Passwort geschützt',
      label: 'Passwort',
      button: 'Weiter',
      wrong: 'Das ist nicht das Passwort. Versuchen Sie es noch einmal.',
    },
  },
  fr: {
    missing: {
      title: 'Ce lien ne fonctionne pas',
      text: 'Vérifiez qu’il est complet, ou demandez à la personne qui vous l’a donné.',
    },
    expired: { title: 'Ce lien a expiré', text: 'Demandez-en un nouveau à la personne qui vous l’a donné.' },
    disabled: { title: 'Ce lien a été désactivé', text: 'Il ne mène plus nulle part.' },
    archived: { title: 'Ce lien n’est plus utilisé', text: 'Il a été archivé.' },
    password: {
      title: 'Ce lien est protégé par un mot de passe',
      label: 'Mot de passe',
      button: 'Continuer',
      wrong: 'Ce n’est pas le bon mot de passe. Réessayez.',
    },
  },
  es: {
    missing: {
      title: 'Este enlace no funciona',
      text: 'Compruebe que está completo o pregunte a la persona que se lo dio.',
    },
    expired: { title: 'Este enlace ha caducado', text: 'Pida uno nuevo a la persona que se lo dio.' },
    disabled: { title: 'Este enlace se ha desactivado', text: 'Ya no lleva a ninguna parte.' },
    archived: { title: 'Este enlace ya no se usa', text: 'Se ha archivado.' },
    password: {
      title: 'Este enlace está protegido con contraseña',
      label: 'Contraseña',
      button: 'Continuar',
      wrong: 'Esa no es la contraseña. Inténtelo de nuevo.',
    },
  },
  it: {
    missing: {
      title: 'Questo link non funziona',
      text: 'Controlli che sia completo o chieda alla persona che gliel’ha dato.',
    },
    expired: { title: 'Questo link è scaduto', text: 'Ne chieda uno nuovo alla persona che gliel’ha dato.' },
    disabled: { title: 'Questo link è stato disattivato', text: 'Non porta più da nessuna parte.' },
    archived: { title: 'Questo link non è più in uso', text: 'È stato archiviato.' },
    password: {
      title: 'Questo link è protetto da una password',
      label: 'Password',
      button: 'Continua',
      wrong: 'Non è la password giusta. Riprovi.',
    },
  },
  pt: {
    missing: {
      title: 'Este link não funciona',
      text: 'Verifique se está completo ou pergunte à pessoa que lho deu.',
    },
    expired: { title: 'Este link expirou', text: 'Peça um novo à pessoa que lho deu.' },
    disabled: { title: 'Este link foi desativado', text: 'Já não leva a lado nenhum.' },
    archived: { title: 'Este link já não é usado', text: 'Foi arquivado.' },
    password: {
      title: 'Este link está protegido por uma palavra-passe',
      label: 'Palavra-passe',
      button: 'Continuar',
      wrong: 'Essa não é a palavra-passe. Tente novamente.',
    },
  },
  nl: {
    missing: {
      title: 'Deze link werkt niet',
      text: 'Controleer of hij volledig is, of vraag het aan degene van wie u hem kreeg.',
    },
    expired: { title: 'Deze link is verlopen', text: 'Vraag een nieuwe aan degene van wie u hem kreeg.' },
    disabled: { title: 'Deze link is uitgeschakeld', text: 'Hij leidt nergens meer heen.' },
    archived: { title: 'Deze link wordt niet meer gebruikt', text: 'Hij is gearchiveerd.' },
    password: {
      title: 'Deze link is beveiligd met een wachtwoord',
      label: 'Wachtwoord',
      button: 'Verder',
      wrong: 'Dat is niet het wachtwoord. Probeer het opnieuw.',
    },
  },
  pl: {
    missing: {
      title: 'Ten link nie działa',
      text: 'Proszę sprawdzić, czy jest kompletny, albo zapytać osobę, od której pochodzi.',
    },
    expired: { title: 'Ten link wygasł', text: 'Proszę poprosić o nowy osobę, od której pochodzi.' },
    disabled: { title: 'Ten link został wyłączony', text: 'Nie prowadzi już donikąd.' },
    archived: { title: 'Ten link nie jest już używany', text: 'Został zarchiwizowany.' },
    password: {
      title: 'Ten link jest chroniony hasłem',
      label: 'Hasło',
      button: 'Dalej',
      wrong: 'To nie jest właściwe hasło. Proszę spróbować ponownie.',
    },
  },
  ja: {
    missing: {
      title: 'このリンクは使えません',
      text: 'リンク全体が正しいか確認するか、教えてくれた人にお問い合わせください。',
    },
    expired: { title: 'このリンクは期限切れです', text: '教えてくれた人に、新しいリンクをお求めください。' },
    disabled: { title: 'このリンクは無効になりました', text: 'リンク先はもうありません。' },
    archived: { title: 'このリンクは現在使われていません', text: '所有者によってアーカイブされました。' },
    password: {
      title: 'このリンクはパスワードで保護されています',
      label: 'パスワード',
      button: '続ける',
      wrong: 'パスワードが違います。もう一度お試しください。',
    },
  },
  ar: {
    missing: { title: 'هذا الرابط لا يعمل', text: 'تأكد من أنه كامل، أو اسأل من أعطاك إياه.' },
    expired: { title: 'انتهت صلاحية هذا الرابط', text: 'اطلب رابطًا جديدًا ممن أعطاك إياه.' },
    disabled: { title: 'عُطّل هذا الرابط', text: 'لم يعد يقود إلى أي مكان.' },
    archived: { title: 'لم يعد هذا الرابط مستخدمًا', text: 'لقد أُرشف.' },
    password: {
      title: 'هذا الرابط محمي بكلمة مرور',
      label: 'كلمة المرور',
      button: 'متابعة',
      wrong: 'كلمة المرور غير صحيحة. حاول مرة أخرى.',
    },
  },
};

/** The texts by language tag. */
export type LinkTextsByLanguage = PageTexts<LinkTexts>;

export const linkTexts = (input?: Readonly<Record<string, LinkTexts>>): LinkTextsByLanguage =>
  pageTexts(builtIn, input);
