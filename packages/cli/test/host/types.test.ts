import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { acceptServer, apiOf } from './host-api.ts'
import { hostHome, upstreamEntry } from './host-home.ts'

describe('types of the whole catalogue', () => {
  it('writes what the host offers under its names there, and --check fails when that has changed', async () => {
    await using at = hostHome()
    at.configure({ mcpServers: { one: upstreamEntry, two: upstreamEntry } })
    await at.up()
    const api = apiOf(at)
    await acceptServer(api, 'one')
    await acceptServer(api, 'two')
    const file = join(at.project, 'catalogue.ts')
    assert.equal((await at.run('types', '-o', file)).exit, 0)
    const text = readFileSync(file, 'utf8')
    assert.match(text, /export interface Catalogue \{/)
    assert.match(text, /readonly one__echo: \{\n {6}readonly input: \{ readonly text: string \}/)
    assert.match(text, /readonly two__wait: \{\n {6}readonly input: \{ readonly ms: number \}/)
    assert.equal((await at.run('types', '--check', '-o', file)).exit, 0)
    assert.equal(JSON.parse((await at.run('types', '--json')).stdout).module, text)
    // a server that does not run makes no difference, a hidden tool does
    await api.call('stop', { server: 'two' })
    assert.equal((await at.run('types', '--check', '-o', file)).exit, 0)
    await api.call('changeEntry', { server: 'two', tool: 'wait', isHidden: true })
    const changed = await at.run('types', '--check', '-o', file)
    assert.equal(changed.exit, 2)
    assert.match(changed.stderr, /is not what the server says/)
    assert.equal(readFileSync(file, 'utf8'), text)
    await at.run('down')
    assert.match((await at.run('types', '-o', join(at.project, 'none.ts'))).stderr, /No host runs/)
    assert.equal(existsSync(join(at.project, 'none.ts')), false)
  })
})
