import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseRule } from '../../src/policy/parse.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, runningHost, textOf } from '../gateway/running-host.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })

function endless(worst: string): ServerSpec {
  const spec = programSpec(worst, 'endless')
  if (spec.launch.kind !== 'program') throw new Error('It is a program')
  return { ...spec, launch: { ...spec.launch, args: [...spec.launch.args, worst] } }
}

it('a list without end is cut off, and the other servers are there', async () => {
  await using running = await runningHost({ servers: [programSpec('one')], rules: [allow] })
  await running.host.apply([programSpec('one'), endless('pages')])
  await running.host.accept('pages').catch((error: Error) => assert.match(error.message, /page/))
  await using mcp = await running.dial()
  assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'here' })), 'here')
  assert.ok(running.host.catalogue.entries('pages').length <= 100)
})

it('progress without end does not make a call last longer than it may', async () => {
  const spec = { ...endless('progress'), callMs: 500 }
  await using running = await runningHost({ servers: [spec], rules: [allow] })
  await using mcp = await running.dial()
  let reports = 0
  const onProgress = () => (reports += 1)
  const said = mcp.tools.call('progress__get_it', {}, { onProgress }).then(textOf, (error: Error) => error.message)
  assert.match(await said, /500 ms|timed? out|too long|longer than/i)
  assert.ok(reports > 0)
  assert.equal(running.host.calls.size, 0)
})

for (const revision of ['2025-11-25', '2026-07-28']) {
  it(`questions without end are cut off, for a caller of ${revision}`, async () => {
    await using running = await runningHost({ servers: [endless('rounds')], rules: [allow] })
    let asked = 0
    await using mcp = await running.dial('', {
      revisions: [revision],
      elicitation: () => {
        asked += 1
        return { action: 'accept', content: {} }
      },
    })
    const said = await mcp.tools.call('rounds__get_it', {}).then(textOf, (error: Error) => error.message)
    assert.match(said, /rounds|too (many|often)|ask/i)
    assert.ok(asked > 0 && asked <= 20, `${asked} questions`)
  })
}
