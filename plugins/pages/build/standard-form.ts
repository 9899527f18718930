// The form that a built page gets: the one that was asked for, else a built-in one in the language of the brief.
import { type BriefLanguage, languageOf } from '../../kit/brief-language.ts';
import { asksToConfirm, type PageForm, type WantedForm } from '../sections/form.ts';
import type { Section } from '../sections/schema.ts';

interface FormWords {
  readonly email: string;
  readonly name: string;
  readonly message: string;
  readonly send: string;
  readonly join: string;
  readonly sent: string;
  readonly thanks: string;
}

const words: Readonly<Record<BriefLanguage, FormWords>> = {
  en: {
    ...{ email: 'Your email address', name: 'Your name', message: 'Your message' },
    ...{ send: 'Send the message', join: 'Sign up' },
    ...{ sent: 'Thank you. Your message is on its way.', thanks: 'Thank you.' },
  },
  de: {
    ...{ email: 'Ihre E-Mail-Adresse', name: 'Ihr Name', message: 'Ihre Nachricht' },
    ...{ send: 'Nachricht senden', join: 'Anmelden' },
    ...{ sent: 'Danke. Ihre Nachricht ist unterwegs.', thanks: 'Danke.' },
  },
  fr: {
    ...{ email: 'Votre adresse e-mail', name: 'Votre nom', message: 'Votre message' },
    ...{ send: 'Envoyer le message', join: 'S’inscrire' },
    ...{ sent: 'Merci. Votre message est en route.', thanks: 'Merci.' },
  },
  es: {
    ...{ email: 'Su correo electrónico', name: 'Su nombre', message: 'Su mensaje' },
    ...{ send: 'Enviar el mensaje', join: 'Inscribirse' },
    ...{ sent: 'Gracias. Su mensaje está en camino.', thanks: 'Gracias.' },
  },
  ja: {
    ...{ email: 'メールアドレス', name: 'お名前', message: 'メッセージ' },
    ...{ send: 'メッセージを送る', join: '申し込む' },
    ...{ sent: 'ありがとうございます。メッセージを送信しました。', thanks: 'ありがとうございます。' },
  },
  ar: {
    ...{ email: 'بريدك الإلكتروني', name: 'اسمك', message: 'رسالتك' },
    ...{ send: 'أرسل الرسالة', join: 'سجّل الآن' },
    ...{ sent: 'شكرًا لك. رسالتك في الطريق.', thanks: 'شكرًا لك.' },
  },
};

/** The settings of a build that its form depends on. */
export interface FormSetting {
  readonly brief: string;
  /** The form that was asked for. (Default: a form that asks for an address, or for a message) */
  readonly form: WantedForm | undefined;
  /** The words on the buttons of the page. */
  readonly ctaLabel: string | null;
  /** The link of these buttons. Undefined: they lead to the form. */
  readonly buttonUrl: string | undefined;
}

/** The kind of section for a form; undefined if the page may choose. */
export const kindOfForm = (form: WantedForm | undefined): 'contact' | 'lead_form' | undefined => {
  if (form === undefined) return undefined;
  if (asksToConfirm(form)) return 'lead_form';
  if (form.fields === undefined) return undefined;
  return form.fields.some(({ type }) => type === 'textarea') ? 'contact' : 'lead_form';
};

/** The form of the page, in a section of this kind. The parts that were asked for replace those of the built-in form. */
export function formOfPage(kind: 'contact' | 'lead_form', { brief, form, ctaLabel, buttonUrl }: FormSetting): PageForm {
  const { email: emailLabel, name: nameLabel, message: messageLabel, ...formWords } = words[languageOf(brief) ?? 'en'];
  const email = { name: 'email', type: 'email', label: emailLabel, required: true } as const;
  const name = { name: 'name', type: 'text', label: nameLabel, required: false } as const;
  const message = { name: 'message', type: 'textarea', label: messageLabel, required: true } as const;
  // The page's buttons name the offer, so the form's button repeats their words only if they lead to it.
  const join = buttonUrl === undefined ? (ctaLabel ?? formWords.join) : formWords.join;
  const builtIn: PageForm =
    kind === 'contact'
      ? { formId: 'contact', fields: [name, email, message], button: formWords.send, thanks: formWords.sent }
      : { formId: 'sign-up', fields: [name, email], button: join, thanks: formWords.thanks };
  const {
    formId = builtIn.formId,
    fields = builtIn.fields,
    button = builtIn.button,
    thanks = builtIn.thanks,
  } = form ?? {};
  return { ...form, formId, fields, button, thanks };
}

const builtInIds: ReadonlySet<string> = new Set(['contact', 'sign-up']);

/** The form of a page that a new build keeps: the first one that is not just the built-in form. */
export const formToKeep = (sections: readonly Pick<Section, 'form'>[]): PageForm | undefined =>
  sections.flatMap(({ form }) => form ?? []).find((form) => !builtInIds.has(form.formId) || asksToConfirm(form));
