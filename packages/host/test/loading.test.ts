import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

it("a host and its callers do not load Node's fetch and WebSocket at their start", async () => {
  const program = `
    for (const entry of ['@trunkline/host', '@trunkline/host/api']) await import(entry)
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => /undici/.test(name))))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
  })
  assert.deepEqual(JSON.parse(stdout), [])
})

it('a program that reads or writes the configuration loads nothing that runs servers or answers callers', async () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import('@trunkline/host/config')
    console.log(JSON.stringify(loaded.map((url) => /host\\/src\\/(\\w+)\\//.exec(url)?.[1]).filter(Boolean)))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
  })
  const rooms = new Set<string>(JSON.parse(stdout))
  assert.ok(rooms.has('config') && rooms.has('clients'))
  for (const room of ['acts', 'assembly', 'gateway', 'inbox', 'relay', 'running']) assert.ok(!rooms.has(room), room)
})
