import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

it("a host, its callers and its pages load neither Node's fetch and WebSocket nor the routes of the API at their start", async () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    for (const entry of ['@trunkline/host', '@trunkline/host/api', '@trunkline/host/page-api']) await import(entry)
    const fetching = process.moduleLoadList.filter((name) => /undici/.test(name))
    const api = loaded.flatMap((url) => /host\\/src\\/api\\/(.*)$/.exec(url)?.[1] ?? [])
    console.log(JSON.stringify({ fetching, api }))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
  })
  const { fetching, api } = JSON.parse(stdout) as { fetching: string[]; api: string[] }
  assert.deepEqual(fetching, [])
  assert.ok(api.includes('http-api.ts') && api.includes('addresses.ts'))
  assert.deepEqual(
    api.filter((file) => /routes\.ts$|schemas\.ts$/.test(file)),
    [],
  )
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
