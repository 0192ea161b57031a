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
