// Loads the packages that only exports need, at first use.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isMissingPackage, loadOptional } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import type { Bidi, ScriptPackages } from './script-packages.ts';

/** @throws lead_magnet_renderer_missing if the package is not installed */
export async function loadPdfkit(load = () => import('pdfkit')) {
  const missingError = (cause: unknown) =>
    errors.lead_magnet_renderer_missing({ kind: 'package', name: 'pdfkit' }, { cause });
  return (await loadOptional(load, missingError)).default;
}

/** Undefined if the package is not installed. */
async function loadBidi(load = () => import('bidi-js')): Promise<Bidi | undefined> {
  try {
    const { default: makeBidi } = (await load()) as unknown as { readonly default: () => Bidi };
    return makeBidi();
  } catch (cause) {
    if (isMissingPackage(cause)) return undefined;
    throw cause;
  }
}

/** Reads a file of a package. Undefined if the package is not installed. */
async function readPackageFile(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(createRequire(import.meta.url).resolve(path));
  } catch (cause) {
    if (isMissingPackage(cause)) return undefined;
    throw cause;
  }
}

export const installedPackages: ScriptPackages = { readFile: readPackageFile, loadBidi: () => loadBidi() };
