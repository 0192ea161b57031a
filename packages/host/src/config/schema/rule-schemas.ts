import type { Table } from '../document/document.ts'

const oneOrMore = (items: Table): Table => ({ anyOf: [items, { type: 'array', items }] })

/** Rules of the policy for editors; `policy/parse-rule.ts` reads them, and knows more of their conditions. */
export const ruleSchemas: Table = {
  rule: {
    description: 'A pattern of acts, or an object with more to say; docs/policy.md has the whole grammar.',
    anyOf: [
      { $ref: '#/$defs/pattern' },
      {
        type: 'object',
        properties: {
          match: { $ref: '#/$defs/pattern' },
          class: {
            description: 'Only tools of these classes.',
            ...oneOrMore({ enum: ['reads', 'writes', 'destroys', 'unknown'] }),
          },
          effects: {
            description: 'Only tools that declare one of these effects; not in allow.',
            ...oneOrMore({ type: 'string' }),
          },
          principal: { description: 'Only clients whose name matches.', type: 'string' },
          by: { description: 'local: the question is answered on this machine alone.', enum: ['local'] },
          why: { description: 'A sentence for the one who is refused.', type: 'string' },
          until: {
            description: 'From this time on it allows nothing, such as 2026-12-24T18:00:00Z; only in allow.',
            type: 'string',
          },
        },
        additionalProperties: false,
      },
    ],
  },
  pattern: {
    description:
      'server:tool, server:@kind or server:tool{condition, …}, with * for any characters but a slash and ** for any. A condition is argument=value, argument<=number or argument~pattern, with | between values; {==JSON} is all arguments.',
    type: 'string',
    maxLength: 4096,
    pattern: '^\\s*[^:{}\\s]+:[^{}\\s]+(\\{[\\s\\S]*\\})?\\s*$',
    examples: ['files:read_*', 'files:write_file{path~~/notes/**}', 'web:get{url~https://*.example.com/**}'],
  },
}
