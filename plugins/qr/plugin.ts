// The QR plugin.
import { type CallsOf, type ConsoleEntry, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { hiddenWithoutAccess } from '../../core/unstable.ts';
import { readScope, routes } from './designer/routes.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-qr.ts';
import { operations } from './operations/index.ts';
import type { QrOptions } from './options.ts';
import { personalData } from './personal-data.ts';
import { createQrService, type QrService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    qr: CallsOf<typeof operations>;
  }
  interface Services {
    qr: QrService;
  }
}

/** The entry of the designer in the console. */
const entry: ConsoleEntry = {
  area: 'Content',
  url: '/qr-designer',
  title: 'QR codes',
  scopes: [readScope],
  takesLocation: true,
  hidden: hiddenWithoutAccess,
};

/** QR codes: their content, their style, and their pictures for screens and for print. Logos need `assetsPlugin`. */
export const qrPlugin = (options: QrOptions = {}) => {
  checkOptions<QrOptions>('qrPlugin', options, { designer: 'optional', prices: 'optional', decodeWorker: 'optional' });
  const { designer = false } = options;
  return definePlugin({
    id: 'qr',
    searchWords: {
      qr: ['code', 'scan', 'poster', 'flyer', 'print', 'sticker', 'barcode'],
    },
    requires: ['links'],
    operations,
    publicRoutes: designer ? routes : [],
    console: designer ? [entry] : [],
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    personalData,
    services: { qr: createQrService(options) },
    stop: ({ services }) => services.qr.stop(),
  });
};
