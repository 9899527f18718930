// A third-party plugin, so that two plugins extend what the standard plugins extend.
import { definePlugin } from 'postrider';

declare module 'postrider/open' {
  interface Api {
    late: { readonly late: { readonly call: () => Promise<'late'> } };
  }
}

export const late = definePlugin({ id: 'late' });
