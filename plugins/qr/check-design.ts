// Rules that creating and changing a design share: its style, its logo, and the addresses on its contact card.
import { normaliseAddress, type OperationContext } from '../../core/index.ts';
import { findLogo } from './logo/read-logo.ts';
import { checkReadable } from './readability.ts';
import { defaultStyle, type QrContent, type QrStyle } from './schema.ts';
import { addressRows } from './tables.ts';

type StyleChanges = { readonly [K in keyof QrStyle]?: QrStyle[K] | undefined };

/** A style with other values in some fields. */
export const mergeStyle = (style: QrStyle, changes: StyleChanges): QrStyle => ({
  ...style,
  ...(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<QrStyle>),
});

/** The style of a new design. A logo hides modules, so the default error correction is H with a logo. */
export const newStyle = (input: StyleChanges): QrStyle =>
  mergeStyle((input.logoAssetId ?? null) === null ? defaultStyle : { ...defaultStyle, errorCorrection: 'H' }, input);

/** Checks a design without painting it. @throws qr_unreadable, qr_logo_invalid, qr_assets_missing */
export async function checkDesign(
  ctx: OperationContext,
  style: QrStyle,
  text: string,
  before?: QrStyle,
): Promise<void> {
  checkReadable(style, text);
  // The logo is checked only if it changed, so that other fields can be changed after it was deleted. Rendering then
  // fails.
  const logo = style.logoAssetId;
  if (logo !== null && logo !== before?.logoAssetId) await findLogo(ctx, logo);
}

/** Stores the email addresses that the design shows. */
export async function storeAddresses(
  ctx: OperationContext,
  id: string,
  encodes: QrContent,
  { isNew }: { readonly isNew: boolean },
): Promise<void> {
  const storedAddresses = isNew ? [] : await addressRows.findIn(ctx.trx, 'qr_id', [id]);
  for (const row of storedAddresses) await addressRows.remove(ctx.trx, row.id);
  const emails = encodes.kind === 'vcard' ? new Set(encodes.emails.map(normaliseAddress)) : new Set<string>();
  for (const email of emails)
    await addressRows.insert(ctx.trx, { id: ctx.newId('qra'), qr_id: id, email, created_at: ctx.now });
}
