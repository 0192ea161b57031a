import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { endingNotice } from '../../src/transports/describe-in-flight.ts'

const program = `
  import { serve, server } from '@trunkline/mcp'
  const wait = (_, { signal }) => new Promise((resolve) => {
    process.stderr.write('working\\n')
    signal.addEventListener('abort', () => resolve('x'))
  })
  await serve(server({ name: 'near', version: '1' }).tool('report', {}, wait).resource('app://a', {}, wait))
`

const initialize = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'near', version: '1' } },
}

/** Standard error of a server over stdio that is told to end, and again, while a call is under way. */
async function endedDuring(call: object): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: import.meta.dirname })
  child.stdout.resume()
  const stderr = text(child.stderr)
  for (const request of [initialize, call]) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`)
  await once(child.stderr, 'data')
  child.kill('SIGINT')
  await once(child.stderr, 'data')
  child.kill('SIGINT')
  await once(child, 'exit')
  return (await stderr).replaceAll('working\n', '')
}

test('serve over stdio: Ctrl-C with calls under way says what it waits for', async () => {
  const call = { id: 1, method: 'tools/call', params: { name: 'report', arguments: {} } }
  assert.equal(await endedDuring(call), 'Waiting up to 10 s for tools/call "report"; a second signal ends at once\n')
})

test('endingNotice: names a few requests and counts the others; says nothing where nothing is waited for', () => {
  assert.equal(endingNotice([], 10_000), undefined)
  assert.equal(
    endingNotice(['resources/read "a:b"', 'ping'], 1_500),
    'Waiting up to 2 s for resources/read "a:b", ping; a second signal ends at once',
  )
  const many = Array.from({ length: 14 }, (_, at) => `tools/call "${at % 7}"`)
  assert.match(endingNotice(many, 1) ?? '', / for 2 times tools\/call "0", .*, 2 times tools\/call "4" and 2 others; /)
})
