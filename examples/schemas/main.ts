import assert from 'node:assert/strict'
import { connect } from '@trunkline/mcp'
import * as arktype from './arktype.ts'
import * as json from './json-schema.ts'
import * as valibot from './valibot.ts'
import * as zod from './zod.ts'

for (const [library, { booking }] of Object.entries({ zod, valibot, arktype, json })) {
  await using client = await connect(booking)
  const [tool] = await client.tools.list().all()
  const { properties = {}, required } = (tool?.inputSchema ?? {}) as { properties?: object; required?: string[] }
  assert.deepEqual(Object.keys(properties).toSorted(), ['nights', 'room'], library)
  assert.deepEqual(required, ['room'], library)
  const { structuredContent } = await client.tools.call('book', { room: '12' })
  assert.deepEqual(structuredContent, { euros: 80 }, library)
  // @ts-expect-error the definition says that it is a number, so the compiler refuses this before the server does
  const refused = await client.tools.call('book', { room: '12', nights: 'many' })
  assert.equal(refused.isError, true, library)
  console.log(library, refused.content)
}
