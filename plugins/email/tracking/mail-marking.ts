// `ctx.services.mailMarking`: marks a mail as it would be sent, for previews. Its tokens are genuine, but their send does not exist.
import type { ServiceContext } from '../../../core/index.ts';
import type { MailMarking } from '../../templates/index.ts';
import type { MailPreferences } from './mail-preferences.ts';
import { markMail } from './mark-mail.ts';
import { postalAddressOf } from './postal-address.ts';

/** An id that no send has. */
const noSend = `snd_${'0'.repeat(26)}`;
const nobody = 'recipient@example.invalid';

export const createMailMarking = ({ services, ports }: ServiceContext): MailMarking => ({
  async mark({ workspace, read }, { id, key, version, category, tracking, locale }, mail) {
    const preferencePages: MailPreferences | undefined = services.mailPreferences;
    const exampleSend = { id: noSend, email: nobody, locale };
    const preferences =
      preferencePages === undefined || category !== 'marketing'
        ? undefined
        : await read(({ trx }) => preferencePages.linkOf(trx, workspace, exampleSend));
    const { email } = workspace.defaultFrom;
    const send = { id: noSend, from_email: email, category, template_key: key, template_id: id };
    const templateOfMail = { category, template_id: id, template_version: version };
    const postalAddress = await postalAddressOf({ read }, templateOfMail, mail);
    const { html, text } = await markMail(ports, send, mail, { tracking, preferences, postalAddress });
    return { html, text };
  },
});
