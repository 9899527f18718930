// The postal address that a mail shows: the address of the brand whose theme the template uses, otherwise of the default brand.
import type { ReadContext } from '../../../core/index.ts';
import type { BrandsService } from '../../brand/index.ts';
import type { SendRow } from '../tables.ts';
import { postalAddressMark } from './mark-mail.ts';

/** The fields that determine which address a mail shows. */
type AddressedMail = Pick<SendRow, 'category' | 'template_id' | 'template_version'>;

/** Reads rows, outside any transaction. */
interface Reading {
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
}

/**
 * The address in lines. Undefined if the mail shows no address: it is not marketing mail and its author placed no address, or the
 * brand has no address.
 */
export async function postalAddressOf(
  { read }: Reading,
  { category, template_id: templateId, template_version: version }: AddressedMail,
  { html, text }: { readonly html: string; readonly text: string },
): Promise<string | undefined> {
  if (category !== 'marketing' && !`${html}${text}`.includes(postalAddressMark)) return undefined;
  return read(async ({ services, trx }) => {
    const brands: BrandsService | undefined = services.brands;
    if (brands === undefined) return undefined;
    const brand = await brands.brandOf(trx, await services.templates.themeOf(trx, templateId, version));
    return brand?.postal_address ?? undefined;
  });
}
