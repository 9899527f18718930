// Checks whether the publisher has the permissions that the nodes need: the nodes run with the publisher's scopes.
import { coreErrors, type OperationContext } from '../../../core/index.ts';
import { planOfTier } from '../../../core/unstable.ts';
import type { Definition, SequenceNode } from '../definition/schema.ts';
import { needOf } from '../definition/scopes.ts';

const needsOf = ({ nodes }: Definition) =>
  nodes.flatMap((node) => {
    const need = needOf(node);
    return need === undefined ? [] : [{ node, need }];
  });

/** The scopes that the nodes need and the caller has. The version records them. */
export const grantedScopes = (ctx: OperationContext, definition: Definition): string[] =>
  [...new Set(needsOf(definition).map(({ need }) => need.scope))].filter((scope) => ctx.holds(scope)).sort();

/** @throws insufficient_scope with the node and the scope, plan_required */
export function checkPermissions(ctx: OperationContext, definition: Definition): void {
  const needs = needsOf(definition);
  const missing = needs.filter(({ need }) => !ctx.holds(need.scope));
  const [first] = missing;
  if (first !== undefined)
    throw coreErrors.insufficient_scope(
      { scopes: [`${first.need.scope} (for the node ${first.node.id})`] },
      {
        details: missing.map(({ node, need }) => ({
          path: pathOf(definition, node),
          code: 'insufficient_scope',
          message: `The node ${node.id} needs the scope ${need.scope}.`,
        })),
      },
    );
  for (const { node, need } of needs)
    if (ctx.workspace.plan.tier < need.tier)
      throw coreErrors.plan_required({ plan: planOfTier(need.tier), what: `The node ${node.id}` });
}

const pathOf = ({ nodes }: Definition, node: SequenceNode): string => `nodes.${nodes.indexOf(node)}`;
