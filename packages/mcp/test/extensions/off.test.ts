/** Cost of extensions that a server does not use: nothing, counted in functions, allocations and modules. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Extensions, type ExtensionsHost } from '../../src/server/enabled-extensions.ts'
import type { ToolEntry } from '../../src/server/tool-entry.ts'

const run = promisify(execFile)

test('extensions: where none is on, requests, handlers, tools and capabilities are those of the core, and not copies', () => {
  const none = new Extensions([], {} as ExtensionsHost)
  const dispatch = () => ({})
  const handler = (): string => 'x'
  const entry = {} as ToolEntry
  const own = { tools: {} }
  assert.equal(none.around(dispatch), dispatch)
  assert.equal(none.handler(handler), handler)
  assert.equal(none.tool('x', {}, entry), entry)
  assert.equal(none.declared(own), own)
  assert.equal(none.listen, undefined)
})

/** Runs a program in a process of its own, and gives the modules that it loaded. */
async function loadedBy(body: string): Promise<readonly string[]> {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    ${body}
    console.log(JSON.stringify([...loaded, ...process.moduleLoadList.map((name) => name.replace(/^\\S+ /, 'node:'))]))`
  const args = ['--no-warnings', '--input-type=module', '-e', program]
  const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname, maxBuffer: 2 ** 24 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

const serving = `
  const { connect, server } = await import('@trunkline/mcp')
  const { serveHttp } = await import('@trunkline/mcp/node')
  await using http = await serveHttp(server({ name: 'x', version: '1' }).tool('x', {}, () => 'x'), { port: 0 })
  await using client = await connect(http.url)
  await client.tools.call('x', {})`

test('extensions: a program that uses none loads none, nor a store in a file, nor node:sqlite', async () => {
  const loaded = await loadedBy(serving)
  assert.ok(loaded.some((name) => name.endsWith('/src/server/server.ts')))
  assert.deepEqual(
    loaded.filter((name) => /\/src\/extensions\/|\/stores\/sqlite\/|sqlite/.test(name)),
    [],
  )
})

test('sqlite: node:sqlite is loaded when a file is opened, and not when the entry is', async () => {
  const isThere = (loaded: readonly string[]) => loaded.some((name) => /^node:(internal.*)?sqlite$/.test(name))
  assert.equal(isThere(await loadedBy(`await import('@trunkline/mcp/sqlite')`)), false)
  const opening = `
    const { sqliteStores } = await import('@trunkline/mcp/sqlite')
    try { sqliteStores('/proc/none/there.db') } catch {}`
  assert.equal(isThere(await loadedBy(opening)), true)
})
