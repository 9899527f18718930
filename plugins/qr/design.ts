// Rules that creating and changing a design share: its style, its logo, and the addresses on its contact card.
import { normaliseAddress, type OperationContext } from '../../core/index.ts';
import { findLogo } from './logo/logo.ts';
import { checkReadable } from './readability.ts';
import { defaultStyle, type Encodes, type Style } from './schema.ts';
import { addressRows } from './tables.ts';

type StyleChanges = { readonly [K in keyof Style]?: Style[K] | undefined };

/** A style with other values in some fields. */
export const mergeStyle = (style: Style, changes: StyleChanges): Style => ({
  ...style,
  ...(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<Style>),
});

/** The style of a new design. A logo hides modules, so the default error correction is H with a logo. */
export const newStyle = (given: StyleChanges): Style =>
  mergeStyle((given.logoAssetId ?? null) === null ? defaultStyle : { ...defaultStyle, errorCorrection: 'H' }, given);

/** Checks a design without painting it. @throws qr_unreadable, qr_logo_invalid, qr_assets_missing */
export async function checkDesign(ctx: OperationContext, style: Style, text: string, before?: Style): Promise<void> {
  checkReadable(style, text);
  // If the logo was deleted meanwhile, other fields can still be changed; rendering then fails.
  const logo = style.logoAssetId;
  if (logo !== null && logo !== before?.logoAssetId) await findLogo(ctx, logo);
}

/** Stores the email addresses that the design shows. */
export async function keepAddresses(
  ctx: OperationContext,
  id: string,
  encodes: Encodes,
  { isNew }: { readonly isNew: boolean },
): Promise<void> {
  const old = isNew ? [] : await addressRows.findIn(ctx.trx, 'qr_id', [id]);
  for (const row of old) await addressRows.remove(ctx.trx, row.id);
  const emails = encodes.kind === 'vcard' ? new Set(encodes.emails.map(normaliseAddress)) : new Set<string>();
  for (const email of emails)
    await addressRows.insert(ctx.trx, { id: ctx.newId('qra'), qr_id: id, email, created_at: ctx.now });
}
