import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import '../no-leaks.ts'

const script = `
import { connect, server } from '@trunkline/mcp'
const input = { type: 'object', properties: { n: { type: 'integer', pattern: '^x' } }, required: ['n'] }
const output = { type: 'object', properties: { n: { type: 'integer' } } }
const checked = server({ name: 'strict', version: '1' }).tool('double', { input, output }, ({ n }) => ({ n: n * 2 }))
await using client = await connect(checked)
await client.tools.list().all()
const { structuredContent } = await client.tools.call('double', { n: 4 })
const { isError } = await client.tools.call('double', { n: 'four' })
process.stdout.write(JSON.stringify([structuredContent, isError]))
`

test('schemas are checked where code may not be made from text', async () => {
  const options = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: import.meta.dirname })
  assert.deepEqual(JSON.parse(stdout), [{ n: 8 }, true])
})
