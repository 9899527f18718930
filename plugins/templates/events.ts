import { defineEvent, type EventDeclaration, z } from '../../core/index.ts';

const schemaContractChanged = defineEvent({
  type: 'schema_contract.changed',
  description: "A publish changed the contract of a template's variables.",
  data: z.object({
    key: z.string().describe("The template's key."),
    from: z.int().describe('The contract version before; 0 at the first publish.'),
    to: z.int().describe('The contract version now.'),
    breaking: z.boolean().describe('Whether sends that were valid before are now refused.'),
    added: z.array(z.string()).describe('Variables that are new.'),
    removed: z.array(z.string()).describe('Variables that were removed.'),
  }),
  example: { key: 'receipt', from: 1, to: 2, breaking: false, added: ['coupon'], removed: [] },
});

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'schema_contract.changed': z.output<typeof schemaContractChanged.data>;
  }
}

export const events: readonly EventDeclaration[] = [schemaContractChanged];
