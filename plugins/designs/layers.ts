// Prepares layers before they are stored: gives them ids, and checks that the assets and QR designs that they name exist.
import type { ErrorDetail, OperationContext } from '../../core/index.ts';
import type { QrService } from '../qr/service.ts';
import { type Layer, type LayerInput, maxTexts } from './schema.ts';

type IdsByPath = ReadonlyMap<string, string>;

/** The ids that layers of a kind name, by their path in the input. */
const idsIn = <Kind extends Layer['kind']>(
  layers: readonly Layer[],
  kind: Kind,
  idOf: (layer: Extract<Layer, { kind: Kind }>) => readonly [field: string, id: string],
): IdsByPath =>
  new Map(
    layers.flatMap((layer, index) => {
      if (layer.kind !== kind) return [];
      const [field, id] = idOf(layer as Extract<Layer, { kind: Kind }>);
      return [[`layers.${index}.${field}`, id] as const];
    }),
  );

async function assetFaults(ctx: OperationContext, ids: IdsByPath): Promise<ErrorDetail[]> {
  if (ids.size === 0) return [];
  const rows = await ctx.services.assets.findAll(ctx.trx, [...new Set(ids.values())]);
  return [...ids].flatMap(([path, id]) => {
    const row = rows.get(id);
    const message =
      row === undefined
        ? `There is no asset ${id}.`
        : row.status !== 'ready'
          ? `The asset ${id} is ${row.status}: its file is not there.`
          : row.kind !== 'image' && row.kind !== 'gif'
            ? `The asset ${id} is a ${row.kind}. A layer shows a picture.`
            : undefined;
    return message === undefined ? [] : [{ path, code: 'unknown', message }];
  });
}

async function qrFaults(ctx: OperationContext, ids: IdsByPath): Promise<ErrorDetail[]> {
  if (ids.size === 0) return [];
  const qr: QrService | undefined = ctx.services.qr;
  const faults: ErrorDetail[] = [];
  const existsById = new Map<string, boolean>();
  for (const [path, id] of ids) {
    if (qr !== undefined && !existsById.has(id)) existsById.set(id, await qr.has(ctx.trx, id));
    if (existsById.get(id) === true) continue;
    const message = qr === undefined ? 'This service makes no QR codes.' : `There is no QR design ${id}.`;
    faults.push({ path, code: 'unknown', message });
  }
  return faults;
}

function shapeFaults(layers: readonly Layer[]): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const ids = new Set<string>();
  let texts = 0;
  for (const [index, layer] of layers.entries()) {
    if (ids.has(layer.id))
      faults.push({ path: `layers.${index}.id`, code: 'duplicate', message: `Another layer has the id ${layer.id}.` });
    ids.add(layer.id);
    if (layer.kind === 'text') texts += layer.text.length;
  }
  if (texts > maxTexts)
    faults.push({
      path: 'layers',
      code: 'too_big',
      message: `The texts of all layers have ${texts} characters together, and at most ${maxTexts} are accepted.`,
    });
  return faults;
}

/**
 * The layers to store. `before`: the current layers of the composition. Assets and QR designs that these show are not checked again, so
 * that a lost picture does not block other changes.
 * @throws validation_failed
 */
export async function checkedLayers(
  ctx: OperationContext,
  input: readonly LayerInput[],
  before: readonly Layer[] = [],
): Promise<readonly Layer[]> {
  const layers = input.map(({ id = ctx.newId('lay'), ...layer }): Layer => ({ id, ...layer }) as Layer);
  const presentIds = new Set(
    before.flatMap((layer) => ('assetId' in layer ? [layer.assetId] : 'qrId' in layer ? [layer.qrId] : [])),
  );
  const isNew = ([, id]: readonly [string, string]): boolean => !presentIds.has(id);
  const assets = idsIn(layers, 'image', ({ assetId }) => ['assetId', assetId]);
  const codes = idsIn(layers, 'qr', ({ qrId }) => ['qrId', qrId]);
  ctx.refuse([
    ...shapeFaults(layers),
    ...(await assetFaults(ctx, new Map([...assets].filter(isNew)))),
    ...(await qrFaults(ctx, new Map([...codes].filter(isNew)))),
  ]);
  return layers;
}
