import { serve, server } from '../../src/index.ts'

/** A server whose answers are as long as they are asked to be. */
export const definition = server({ name: 'large', version: '1.0.0' }).tool(
  'say',
  { input: { type: 'object', properties: { length: { type: 'integer' } }, required: ['length'] } },
  ({ length }) => 'x'.repeat(length as number),
)

if (import.meta.main) await serve(definition)
