import assert from 'node:assert/strict'
// region client
import { apps, isForModel } from '@trunkline/mcp/apps'
import { join } from '@trunkline/mcp/testing'
import { weather } from './weather.ts'

await using pair = await join(weather, { extensions: [apps()] })
const tools = await pair.client.tools.list().all()
// tools that a model may see
const names = tools.filter(isForModel).map(({ name }) => name)
// endregion
assert.deepEqual(names, ['forecast'])
const { csp, prefersBorder } = await pair.client.apps.view('ui://weather/forecast')
assert.deepEqual(
  { csp, prefersBorder },
  { csp: { resourceDomains: ['https://tiles.example.com'] }, prefersBorder: true },
)

// a client without views is not shown tools that are for views alone
await using plain = await join(weather)
assert.deepEqual(
  (await plain.client.tools.list().all()).map(({ name }) => name),
  ['forecast'],
)
console.log((await plain.client.tools.call('forecast', { city: 'Oslo' })).content)
