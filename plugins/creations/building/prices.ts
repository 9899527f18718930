// The prices of items, in credits. The plugins that make the items set them.
import type { ServiceContext } from '../../../core/index.ts';
import type { BlogService } from '../../blog/index.ts';
import type { PagesService } from '../../pages/index.ts';
import type { ItemKind } from '../tables.ts';

/** The price of an item. In the sandbox, which is free, callers charge nothing. */
export function priceOfKind({ services }: ServiceContext, kind: ItemKind): number {
  const pages: PagesService | undefined = services.pages;
  const blog: BlogService | undefined = services.blog;
  switch (kind) {
    case 'social_post':
      return services.socialRules.prices.compose;
    case 'email_template':
      return services.templateDrafts.composePrice;
    case 'link':
      return services.links.price;
    case 'page':
      return pages?.buildPrice ?? 0;
    case 'blog_post':
      return blog?.composePrice ?? 0;
    case 'planned_email':
    case 'sequence':
      return 0;
  }
}
