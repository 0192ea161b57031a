import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@trunkline/mcp/client'
import { lacking } from '../../../../tools/lib/needs.ts'
import { until } from '../../../../tools/lib/until.ts'
import { isAlive, newFolder, type ProgramResult, type Wrapped, wrapped } from './wrapped.ts'

const word = { name: 'word', multiple: true }

/** Calls a tool; the structured content, with what the result says beside it. */
async function run(client: Client, tool: string, input: object = {}) {
  const result = await client.tools.call(tool, input)
  return { ...(result.structuredContent as ProgramResult), isError: result.isError ?? false, content: result.content }
}

/** A tool that prints a text. */
const prints = (name: string, text: string, output?: string) => ({
  name,
  command: ['print', Buffer.from(text).toString('base64')],
  ...(output && { output }),
})

const tools = [
  { name: 'both', command: ['both'], arguments: [word] },
  { name: 'none', command: ['both', '1'], okExitCodes: [0, 1] },
  { name: 'kill', command: ['kill'] },
  prints('json', '{"a": [1, 2]}\n'),
  prints('text', '42\n'),
  prints('lines', '{"a":1}\n{"a":2}\n', 'json-lines'),
  prints('csv', 'name,says\r\nAda,"Hello, ""you"""\r\nBob,\r\n', 'csv'),
  prints('broken', '{"a": ', 'json'),
  { name: 'print', command: ['print'], arguments: [{ name: 'bytes' }] },
  { name: 'flood', command: ['flood'], arguments: [{ name: 'lines' }] },
  { name: 'echo', command: ['echo'], stdin: true },
  { name: 'dumb', command: ['echo'] },
]

describe('wrap: results of programs', () => {
  let at: Wrapped
  before(async () => {
    at = await wrapped({ tools })
  })
  after(() => at[Symbol.asyncDispose]())

  test('wrap: exit code, stdout and stderr apart; another exit code than 0 is a failure', async () => {
    const well = await run(at.client, 'both')
    assert.deepEqual(
      [well.exitCode, well.signal, well.stdout, well.stderr, well.isError],
      [0, null, 'to stdout', 'to stderr', false],
    )
    assert.deepEqual(well.content[1]?.annotations?.audience, ['user'])
    const ill = await run(at.client, 'both', { word: ['3'] })
    assert.deepEqual([ill.exitCode, ill.stdout, ill.stderr, ill.isError], [3, 'to stdout', 'to stderr', true])
    const killed = await run(at.client, 'kill')
    assert.deepEqual([killed.exitCode, killed.signal, killed.isError], [null, 'SIGKILL', true])
    assert.equal((await run(at.client, 'none')).isError, false)
    const { _meta } = await at.client.tools.call('both', { word: ['3'] })
    assert.deepEqual(_meta?.['dev.trunkline/contract'], { status: { code: 3, class: 'failed' } })
  })

  test('wrap: what is JSON is a value; JSON lines and CSV are where they are declared', async () => {
    assert.deepEqual((await run(at.client, 'json')).value, { a: [1, 2] })
    assert.equal((await run(at.client, 'text')).value, undefined)
    assert.deepEqual((await run(at.client, 'lines')).value, [{ a: 1 }, { a: 2 }])
    const rows = [
      { name: 'Ada', says: 'Hello, "you"' },
      { name: 'Bob', says: '' },
    ]
    assert.deepEqual((await run(at.client, 'csv')).value, rows)
    const broken = await at.client.tools.call('broken', {})
    assert.equal(broken.isError, true)
    assert.match(JSON.stringify(broken.content), /was to print json, and did not/)
    assert.equal((broken.structuredContent as ProgramResult).stdout, '{"a": ')
  })

  test('wrap: escapes are stripped, encodings read, and bytes that are no text come as they are', async () => {
    const print = (bytes: Uint8Array) => run(at.client, 'print', { bytes: Buffer.from(bytes).toString('base64') })
    const coloured =
      '\x1b[1;31mred\x1b[0m \x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ 10%\r100%\r\nrang\x07\x9b2J'
    assert.equal((await print(Buffer.from(coloured))).stdout, '100%\nrang')
    assert.equal((await print(Buffer.from('\ufeffBOM'))).stdout, 'BOM')
    assert.equal((await print(Buffer.from('\ufeffgrün', 'utf16le'))).stdout, 'grün')
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const binary = await print(every)
    assert.equal(binary.stdout, '')
    assert.equal(binary.stdoutMore?.bytes, 256)
    const [block] = binary.content
    assert.ok(block?.type === 'resource' && 'blob' in block.resource)
    assert.deepEqual(Buffer.from(block.resource.blob, 'base64'), Buffer.from(every))
    const png = await print(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0, 255))
    assert.equal(png.content[0]?.type, 'image')
  })

  test('wrap: of long output the result has both ends, and all of it is a resource with ranges, lines and search', async () => {
    const { stdout, stdoutMore, content } = await run(at.client, 'flood', { lines: '3000' })
    assert.equal(stdout.length, 65_536)
    assert.equal(stdoutMore?.bytes, 3_000_000)
    let read = 0
    while (read < 3_000_000) {
      const { contents } = await at.client.resources.read(`${stdoutMore.uri}?from=${read}`)
      assert.ok(contents[0] && 'text' in contents[0])
      read += contents[0].text.length
    }
    assert.equal(read, 3_000_000)
    const { contents } = await at.client.resources.read(`${stdoutMore.uri}?from=998&bytes=3`)
    assert.ok(contents[0] && 'text' in contents[0])
    assert.equal(contents[0].text, 'x\nl')
    const part = async (query: string) => {
      const [one] = (await at.client.resources.read(`${stdoutMore.uri}?${query}`)).contents
      return one && 'text' in one ? one.text : ''
    }
    const line = (number: number) => `${`line ${number} `.padEnd(999, 'x')}\n`
    assert.equal(await part('lines=2000-2001'), line(2_000) + line(2_001))
    assert.equal(await part('lines=3000-9999'), line(3_000))
    const { matches, next } = JSON.parse(await part('search=line%2029'))
    assert.deepEqual([matches.length, matches[0].line, matches[1].line, matches[11].line], [100, 29, 290, 2_900])
    assert.equal(JSON.parse(await part(`search=line%2029&after=${next}`)).matches.length, 11)
    for (const wrong of ['lines=0-3', 'lines=9-3', 'lines=x', 'search=x&after=-1', 'from=x'])
      await assert.rejects(part(wrong), /lines is a range such as|are whole numbers/, wrong)
    const [head] = content as readonly { text: string }[]
    assert.match(head?.text ?? '', /\[stdout goes on: 65536 of 3000000 bytes are here, and its end\]\n/)
    assert.ok(head?.text.endsWith(line(2_999) + line(3_000)))
    const gone = `wrap://output/${crypto.randomUUID()}`
    await assert.rejects(at.client.resources.read(gone), /not kept any more/)
  })

  test('wrap: stdin is what a caller gives, where the description lets it', async () => {
    assert.equal((await run(at.client, 'echo', { stdin: 'grüße\n' })).stdout, 'grüße\n')
    assert.equal((await run(at.client, 'dumb')).stdout, '')
  })
})

test('wrap: the folder is within the roots, and the environment is what was named', async () => {
  const folder = realpathSync(newFolder())
  mkdirSync(join(folder, 'in/deep'), { recursive: true })
  symlinkSync('/etc', join(folder, 'in/out'))
  await using at = await wrapped(
    { tools: [{ name: 'place', command: ['place'] }], env: { ONE: '1', TWO: { from: 'HOME' } } },
    { folder, args: ['--root', join(folder, 'in'), '--env', 'THREE=3'] },
  )
  const place = async (cwd?: string) => (await run(at.client, 'place', { ...(cwd && { cwd }) })).value as Place
  interface Place {
    readonly cwd: string
    readonly env: { readonly [name: string]: string }
  }
  const { cwd, env } = await place()
  assert.equal(cwd, join(folder, 'in'))
  assert.deepEqual([env.ONE, env.TWO, env.THREE, env.NODE_COMPILE_CACHE], ['1', process.env.HOME, '3', undefined])
  assert.equal((await place('deep')).cwd, join(folder, 'in/deep'))
  for (const outside of ['..', '/etc', 'out', 'deep/../..']) {
    const { isError, content } = await at.client.tools.call('place', { cwd: outside })
    assert.equal(isError, true, outside)
    assert.match(JSON.stringify(content), /outside of/)
  }
})

test('wrap: a call that is late ends, and says so; so does everything when the client goes', async () => {
  const folder = newFolder()
  const witness = join(folder, 'witness')
  const at = await wrapped(
    {
      tools: [
        { name: 'late', command: ['obey'], timeoutSeconds: 1 },
        { name: 'obey', command: ['obey'] },
      ],
      env: { WITNESS: witness },
    },
    { folder },
  )
  const late = await run(at.client, 'late')
  assert.deepEqual([late.exitCode, late.timedOut, late.isError], [3, true, true])
  writeFileSync(witness, '')
  const call = at.client.tools.call('obey', {}).catch(() => {})
  await until(() => /runs/.test(readFileSync(witness, 'utf8')))
  const pid = Number(/runs (\d+)/.exec(readFileSync(witness, 'utf8'))?.[1])
  await at[Symbol.asyncDispose]()
  await call
  await until(() => !isAlive(pid))
})

test('wrap: a server that is killed leaves no program behind', {
  timeout: 120_000,
  skip: lacking('linux', process.platform === 'linux'),
}, async () => {
  const folder = newFolder()
  const witness = join(folder, 'witness')
  writeFileSync(witness, '')
  await using at = await wrapped(
    { tools: [{ name: 'ignore', command: ['ignore'] }], env: { WITNESS: witness } },
    { folder },
  )
  const call = at.client.tools.call('ignore', {}).catch(() => {})
  await until(() => /runs/.test(readFileSync(witness, 'utf8')))
  const pids = (/runs (\d+) (\d+)/.exec(readFileSync(witness, 'utf8')) ?? []).slice(1).map(Number)
  const [leader = 0] = pids
  // the parent of the program is the server
  const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${leader}/stat`, 'utf8'))?.[1])
  process.kill(parent, 'SIGKILL')
  await call
  await until(() => !pids.some(isAlive))
})

test('wrap: a program that is named by a path is found wherever a call runs', async () => {
  const folder = realpathSync(newFolder())
  mkdirSync(join(folder, 'in'))
  writeFileSync(join(folder, 'tool'), '#!/bin/sh\npwd\n', { mode: 0o755 })
  await using at = await wrapped({ program: ['./tool'], tools: [{ name: 'tool' }] }, { folder })
  assert.equal((await run(at.client, 'tool', { cwd: 'in' })).stdout, `${folder}/in\n`)
})
