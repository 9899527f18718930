// Mails the link to what a form gives away. Called by jobs of plugins with such forms, inside their transaction.
import type { Effects, ServiceSurface } from '../../../core/index.ts';
import { chooseTexts, readableOn } from '../../../core/unstable.ts';
import type { BrandsService } from '../../brand/index.ts';
import type { GivenMail } from '../service.ts';
import type { ListTextsByLanguage } from '../texts.ts';
import { builtInGiven, givenTemplate } from './mail.ts';

/** Answers when the mail can be sent, in milliseconds, where the budget of the month has no room for it. */
export async function sendGiven(
  { services }: ServiceSurface,
  effects: Effects,
  { email, language, label: title, url }: GivenMail,
  languages: ListTextsByLanguage,
): Promise<number | undefined> {
  const { trx, workspace, now } = effects;
  const message = { email, category: 'system', bypass: false, now } as const;
  if ((await services.suppressions.check(trx, workspace, message)) !== undefined) return undefined;
  const brands: BrandsService | undefined = services.brands;
  const look = await brands?.look(trx);
  const { renewsAt } = await services.systemMail.accept(effects, {
    template: givenTemplate,
    locale: language,
    builtIn: builtInGiven(look, readableOn, chooseTexts(languages, language)),
    lane: 'normal',
    recipients: [{ email, variables: { title, url } }],
  });
  return renewsAt;
}
