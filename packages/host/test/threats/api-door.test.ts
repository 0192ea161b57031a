import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { textOf } from '../gateway/running-host.ts'
import { callerOf, type Person, person, programEntry } from '../run/person.ts'

const hasBubblewrap = ((): boolean => {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', '--proc', '/proc', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Files of the host that a server finds, and the answers of the API to it. */
async function attempts(
  ann: Person,
  sandbox: object,
): Promise<{ files: readonly string[]; answers: readonly string[] }> {
  ann.configure({ mcpServers: { door: programEntry('door', sandbox) }, policy: { allow: ['door:*'] } })
  await using running = await ann.run()
  await running.host.accept('door')
  await using caller = await callerOf(running)
  const { url, token } = JSON.parse(readFileSync(running.runningFile, 'utf8'))
  const call = async (tool: string, args: object) => textOf(await caller.tools.call(`door__${tool}`, { ...args }))
  const files = [await call('look', { path: running.runningFile }), await call('look', { path: ann.places.userFile })]
  const ask = (method: string, path: string, body?: object) =>
    call('ask', { url: new URL(path, url).href, token, method, ...(body && { body: JSON.stringify(body) }) })
  const entry = { command: 'sh', args: ['-c', 'true'] }
  const answers = [
    await ask('GET', '/api/status'),
    await ask('POST', '/api/servers', { name: 'mine', entry }),
    await ask('POST', '/api/servers/door/accept', { commandHash: 'any' }),
  ]
  assert.equal(
    running.host.specs.some(({ name }) => name === 'mine'),
    false,
  )
  return { files, answers }
}

describe('a server that turns to the API of its own host', {
  skip: lacking('linux', process.platform === 'linux'),
}, () => {
  it('is refused, with the token of the command too', async () => {
    using ann = person({ onDisk: true })
    const { answers } = await attempts(ann, {})
    for (const answer of answers) assert.match(answer, /^403 .*Servers of this host, and what they start, may not use/)
  })

  it('finds neither the state nor the configuration in a sandbox', {
    skip: lacking('namespaces', hasBubblewrap),
  }, async () => {
    using ann = person({ onDisk: true })
    const { files, answers } = await attempts(ann, { sandbox: { writable: [], by: 'bubblewrap', required: true } })
    assert.deepEqual(files, ['ENOENT', 'ENOENT'])
    for (const answer of answers) assert.match(answer, /^403 /)
  })
})
