// A plugin of another author, so that two extend what the standard set extends, too.
import { definePlugin } from 'postrider';

declare module 'postrider/open' {
  interface Api {
    late: { readonly late: { readonly call: () => Promise<'late'> } };
  }
}

export const late = definePlugin({ id: 'late' });
