// A third-party plugin that extends the same interfaces as the standard plugins.
import { definePlugin } from 'postrider';

declare module 'postrider/open' {
  interface Api {
    late: { readonly late: { readonly call: () => Promise<'late'> } };
  }
}

export const late = definePlugin({ id: 'late' });
