// Logos that are assets: checks whether they can be used, records their use, and builds their public URLs.
import type { ErrorDetail, OperationContext, ServiceContext } from '../../core/index.ts';
import type { AssetRow, AssetsService } from '../assets/index.ts';
import type { BrandFields, BrandLogo, BrandLogos, StoredLogo, StoredLogos } from './schema.ts';
import type { BrandRow, ThemeRow } from './tables.ts';

/** Undefined if the assets plugin is not composed. */
const assetsOf = ({ services }: ServiceContext): AssetsService | undefined => services.assets;

/** A logo as it is shown; null if it is an asset and the assets plugin is no longer composed. */
export function presentLogo(context: ServiceContext, logo: StoredLogo | null): BrandLogo | null {
  if (logo === null || 'url' in logo) return logo;
  const url = assetsOf(context)?.mediaUrl(logo.assetId);
  return url === undefined ? null : { url, assetId: logo.assetId };
}

export const presentLogos = (context: ServiceContext, { light, dark, mark }: StoredLogos): BrandLogos => ({
  light: presentLogo(context, light),
  dark: presentLogo(context, dark),
  mark: presentLogo(context, mark),
});

/** The assets that the input names, by their paths in the input. */
function assetsInInput({ logos, themes }: BrandFields): ReadonlyMap<string, string> {
  const assetPaths: (readonly [string, string | undefined])[] = [
    ...Object.entries(logos ?? {}).map(([name, logo]) => [`logos.${name}.assetId`, logo?.assetId] as const),
    ...(themes ?? []).map(({ logo }, index) => [`themes.${index}.logo.assetId`, logo?.assetId] as const),
  ];
  return new Map(assetPaths.flatMap(([path, id]) => (id === undefined ? [] : [[path, id] as const])));
}

function faultOf(ctx: OperationContext, id: string, row: AssetRow | undefined): string | undefined {
  if (row === undefined) return `There is no asset ${id}.`;
  if (row.status !== 'ready') return `The asset ${id} is ${row.status}: its file is not there.`;
  if (row.kind !== 'image' && row.kind !== 'gif') return `The asset ${id} is a ${row.kind}. A logo is a picture.`;
  // Assets of sandbox keys are never public.
  return row.is_sandbox && !ctx.sandbox ? `A sandbox key made the asset ${id}. Upload it with a live key.` : undefined;
}

/** Rejects assets that cannot be logos. @throws validation_failed */
export async function checkLogoAssets(ctx: OperationContext, fields: BrandFields): Promise<void> {
  const assetIds = assetsInInput(fields);
  if (assetIds.size === 0) return;
  const assets = assetsOf(ctx);
  const rows = await assets?.findAll(ctx.trx, [...assetIds.values()], 'share');
  const details: ErrorDetail[] = [];
  for (const [path, id] of assetIds) {
    const message =
      rows === undefined
        ? 'This service has no assets. Give the https address of the logo as url.'
        : faultOf(ctx, id, rows.get(id));
    if (message !== undefined) details.push({ path, code: 'unknown', message });
  }
  ctx.refuse(details);
}

/** Records which assets the brand and its themes show, so that /media serves them and they cannot be deleted. */
export async function useLogoAssets(
  ctx: OperationContext,
  brand: BrandRow,
  themes: readonly ThemeRow[],
): Promise<void> {
  const logos = [...Object.values(brand.logos), ...themes.map(({ logo }) => logo)];
  const ids = logos.flatMap((logo) => (logo !== null && 'assetId' in logo ? [logo.assetId] : []));
  await assetsOf(ctx)?.use(ctx, { kind: 'brand', id: brand.id, isPublic: true }, ids);
}
