// Mails the link to the lead magnet of a form. Called by jobs of plugins with such forms, inside their transaction.
import type { TransactionContext } from '../../../core/index.ts';
import { chooseTexts } from '../../../core/unstable.ts';
import type { BrandsService } from '../../brand/index.ts';
import type { GiftMail } from '../service.ts';
import type { ListTextsByLanguage } from '../texts.ts';
import { builtInGiftMail, giftTemplate } from './built-in-mails.ts';

/** If the monthly budget has no room for the mail, returns when it can be sent, in milliseconds since the epoch. */
export async function sendGift(
  ctx: TransactionContext,
  { email, language, label: title, url }: GiftMail,
  languages: ListTextsByLanguage,
): Promise<number | undefined> {
  const { trx, workspace, now } = ctx;
  const message = { email, category: 'system', bypass: false, now } as const;
  if ((await ctx.services.suppressions.check(trx, workspace, message)) !== undefined) return undefined;
  const brands: BrandsService | undefined = ctx.services.brands;
  const style = await brands?.style(trx);
  const sender = { name: style?.name ?? (workspace.defaultFrom.name || workspace.name), style };
  const { renewsAt } = await ctx.services.systemMail.accept(ctx, {
    template: giftTemplate,
    locale: language,
    builtIn: builtInGiftMail(sender, chooseTexts(languages, language)),
    lane: 'normal',
    recipients: [{ email, variables: { title, url } }],
  });
  return renewsAt;
}
