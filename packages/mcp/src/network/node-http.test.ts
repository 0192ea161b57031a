import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

test('a program that speaks HTTP does not load what Node has for fetch and WebSocket at its start', async () => {
  const entries = ['@trunkline/mcp', '@trunkline/mcp/client', '@trunkline/mcp/node', '@trunkline/mcp/auth']
  const program = `
    for (const entry of ${JSON.stringify(entries)}) await import(entry)
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => /undici/.test(name))))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
  })
  assert.deepEqual(JSON.parse(stdout), [])
})
