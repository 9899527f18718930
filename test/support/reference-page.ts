// Reads the example of each operation from the HTML of the reference page: its code in each form (curl, fetch …) and the answer.
// Called by the tests of the page.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { nodeHost } from '../../hosts/node/index.ts';
import type { AnyTestService } from '../../hosts/testing/test-service.ts';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

const isElement = (node: Node): node is Element => 'tagName' in node;
const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : []);

/** An attribute of an element. */
export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;

/** Every element below a node for which `isWanted` returns true */
export function findAll(node: Node, isWanted: (element: Element) => boolean): Element[] {
  return childrenOf(node).flatMap((child) => [
    ...(isElement(child) && isWanted(child) ? [child] : []),
    ...findAll(child, isWanted),
  ]);
}

/** The text below a node. */
export const textOf = (node: Node): string => ('value' in node ? node.value : childrenOf(node).map(textOf).join(''));

/** An operation's example on the page. */
export interface ReferenceExample {
  /** Form → code: curl, fetch, typed, tool */
  readonly forms: Readonly<Record<string, string>>;
  /** The title of the answer, such as `202 Accepted`, and its body */
  readonly title: string;
  readonly answer: string;
}

/** The page as a tree. */
export const parsePage = (html: string): Node => parse(html);

/** Operation id → its example. */
export function readExamples(html: string): Map<string, ReferenceExample> {
  const operations = findAll(
    parse(html),
    (element) => element.tagName === 'section' && attributeOf(element, 'class') === 'op',
  );
  return new Map(
    operations.map((operation) => {
      const exampleBlocks = findAll(operation, (node) => attributeOf(node, 'class') === 'form');
      const partOf = (block: Element | undefined, name: string): string =>
        block === undefined
          ? ''
          : findAll(block, ({ tagName }) => tagName === name)
              .map(textOf)
              .join('');
      const forms = exampleBlocks.flatMap((block) => {
        const form = attributeOf(block, 'data-form');
        return form === undefined ? [] : [[form, partOf(block, 'pre')]];
      });
      const answer = exampleBlocks.find((block) => attributeOf(block, 'data-form') === undefined);
      return [
        attributeOf(operation, 'id') ?? '',
        { forms: Object.fromEntries(forms), title: partOf(answer, 'p'), answer: partOf(answer, 'pre') },
      ];
    }),
  );
}

/** A test service behind a real server. */
export interface Served {
  /** The service's base URL, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a test service at `basePath` of a free port. */
export async function serve(test: AnyTestService, basePath = '/messaging'): Promise<Served> {
  const server = createServer(nodeHost(test.service, { basePath }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${basePath}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
