// The form that a built page gets, in the language of its brief. Before publishing, the author decides on the list or the
// sequence that a submission leads to.
import { type BriefLanguage, languageOf } from '../../kit/brief-language.ts';
import type { PageForm } from '../sections/form.ts';

interface FormWords {
  readonly email: string;
  readonly name: string;
  readonly message: string;
  readonly sent: string;
  readonly thanks: string;
}

const words: Readonly<Record<BriefLanguage, FormWords>> = {
  en: {
    ...{ email: 'Your email address', name: 'Your name', message: 'Your message' },
    ...{ sent: 'Thank you. Your message is on its way.', thanks: 'Thank you.' },
  },
  de: {
    ...{ email: 'Ihre E-Mail-Adresse', name: 'Ihr Name', message: 'Ihre Nachricht' },
    ...{ sent: 'Danke. Ihre Nachricht ist unterwegs.', thanks: 'Danke.' },
  },
  fr: {
    ...{ email: 'Votre adresse e-mail', name: 'Votre nom', message: 'Votre message' },
    ...{ sent: 'Merci. Votre message est en route.', thanks: 'Merci.' },
  },
  es: {
    ...{ email: 'Su correo electrónico', name: 'Su nombre', message: 'Su mensaje' },
    ...{ sent: 'Gracias. Su mensaje está en camino.', thanks: 'Gracias.' },
  },
  ja: {
    ...{ email: 'メールアドレス', name: 'お名前', message: 'メッセージ' },
    ...{ sent: 'ありがとうございます。メッセージを送信しました。', thanks: 'ありがとうございます。' },
  },
  ar: {
    ...{ email: 'بريدك الإلكتروني', name: 'اسمك', message: 'رسالتك' },
    ...{ sent: 'شكرًا لك. رسالتك في الطريق.', thanks: 'شكرًا لك.' },
  },
};

/** The form of a section of the kind contact; for other kinds, the form of a lead_form. */
export function standardForm(kind: string, brief: string): PageForm {
  const { email: emailLabel, name: nameLabel, message: messageLabel, sent, thanks } = words[languageOf(brief) ?? 'en'];
  const email = { name: 'email', type: 'email', label: emailLabel, required: true } as const;
  const name = { name: 'name', type: 'text', label: nameLabel, required: false } as const;
  const message = { name: 'message', type: 'textarea', label: messageLabel, required: true } as const;
  return kind === 'contact'
    ? { formId: 'contact', fields: [name, email, message], thanks: sent }
    : { formId: 'sign-up', fields: [name, email], thanks };
}
