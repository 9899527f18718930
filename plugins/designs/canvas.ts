// Finds the size of a new composition, from a preset or from width and height. Pure.
import { coreErrors, type ErrorDetail } from '../../core/index.ts';
import { defaultPresetId, findSize } from './sizes.ts';

/** The size as callers give it. */
export interface CanvasInput {
  readonly cropPresetId?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** The canvas of a composition. */
export interface Canvas {
  readonly cropPresetId: string | null;
  readonly width: number;
  readonly height: number;
  /** The default name of the composition. */
  readonly name: string;
}

function faultOf({ cropPresetId, width, height }: CanvasInput): ErrorDetail | undefined {
  const detail = (path: string, message: string): ErrorDetail => ({ path, code: 'invalid', message });
  if (cropPresetId !== undefined && (width !== undefined || height !== undefined))
    return detail('cropPresetId', 'Give cropPresetId, or width and height, not both.');
  if (width !== undefined && height === undefined) return detail('height', 'Give height together with width.');
  if (height !== undefined && width === undefined) return detail('width', 'Give width together with height.');
  return undefined;
}

/** @throws validation_failed */
export function canvasOf(input: CanvasInput): Canvas {
  const fault = faultOf(input);
  if (fault !== undefined)
    throw coreErrors.validation_failed({ summary: `${fault.path}: ${fault.message}` }, { details: [fault] });
  const { width, height, cropPresetId = defaultPresetId } = input;
  if (width !== undefined && height !== undefined)
    return { cropPresetId: null, width, height, name: `${width} × ${height}` };
  const size = findSize(cropPresetId);
  if (size === undefined) throw new TypeError(`The schema accepts a size ${cropPresetId} that does not exist.`);
  return { ...size, cropPresetId };
}
