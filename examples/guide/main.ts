import assert from 'node:assert/strict'
import { join } from '@trunkline/mcp/testing'
import { tour } from './clients.ts'
import { asked } from './extensions.ts'
import { closeForToday, lines, mall } from './servers.ts'
import { tests } from './testing.ts'

await tour()
await tests()
await asked()
closeForToday()
await using pair = await join(mall)
const names = (await pair.client.tools.list().all()).map(({ name }) => name)
assert.deepEqual(names, ['shop_greet', 'shop_price', 'shop_ping', 'shop_label'])
assert.deepEqual((await pair.client.complete({ template: 'shop://items/{id}', argument: 'id' }, 'p')).values, ['pear'])
assert.match(lines[0] ?? '', /^tools\/list took \d+ ms$/)
