import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { connect } from '@trunkline/mcp'
import { lacking } from '../../../tools/lib/needs.ts'
import { programFile } from '../../../tools/lib/program-file.ts'
import { hasProgram } from './has-program.ts'
import { runCli } from './run-cli.ts'
import { inTerminal } from './tmux.ts'
import { isAlive } from './wrap/wrapped.ts'

const library = pathToFileURL(programFile(new URL('./fixtures/library.ts', import.meta.url))).href

/** A folder with a server to work on. */
function workshop() {
  const folder = mkdtempSync(join(tmpdir(), 'dev-'))
  const file = join(folder, 'server.mjs')
  return {
    folder,
    file,
    write: (text: string) => writeFileSync(file, text),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const greeter = (answer: string, more = ''): string => `import { serve, server } from ${JSON.stringify(library)}
console.error('pid ' + process.pid)
await serve(server({ name: 'greeter', version: '1.0.0' }).tool('greet', { description: 'Says ${answer}' }, () => '${answer}')${more})
`

/** Keeps what a server loads compiled from one start to the next. */
const compiled = [`--env=NODE_COMPILE_CACHE=${join(tmpdir(), 'trunkline-test-compiled')}`]

interface DevEvent {
  readonly event: string
  readonly url?: string
  readonly text?: string
  readonly message?: unknown
  readonly added?: readonly string[]
  readonly changed?: readonly string[]
  readonly removed?: readonly string[]
}

test('dev: starts anew with every change, clients stay connected, and nothing is left', {
  timeout: 120_000,
}, async () => {
  using at = workshop()
  const home = mkdtempSync(join(tmpdir(), 'dev-home-'))
  at.write(greeter('one'))
  const events: DevEvent[] = []
  const listeners = new Set<() => void>()
  let pid = 0
  const run = runCli(['dev', '--json', '--watch', at.folder, ...compiled, '--', process.execPath, at.file], {
    env: { HOME: home },
    onStart: (id) => {
      pid = id
    },
    onOutput: ({ stdout }) => {
      const lines = stdout.split('\n').slice(0, -1)
      for (const line of lines.slice(events.length)) events.push(JSON.parse(line))
      for (const listener of [...listeners]) listener()
    },
  })
  let read = 0
  /** The next event of a kind, after those that were waited for before. */
  const next = (kind: string): Promise<DevEvent> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = events.findIndex(({ event }, index) => index >= read && event === kind)
        if (found < 0) return
        read = found + 1
        listeners.delete(look)
        resolve(events[found] as DevEvent)
      }
      listeners.add(look)
      look()
    })
  const { url } = await next('listening')
  const first = await next('started')
  assert.deepEqual(first.added, ['tool greet'])
  await using client = await connect(new URL(url as string))
  const greeting = async () => JSON.stringify((await client.tools.call('greet', {})).content)
  assert.match(await greeting(), /one/)

  at.write(greeter('two', ".tool('wave', {}, () => 'waves')"))
  const second = await next('started')
  assert.deepEqual([second.added, second.changed, second.removed], [['tool wave'], ['tool greet'], []])
  assert.match(await greeting(), /two/)

  at.write('this is no program')
  await next('failed')
  at.write(greeter('three'))
  const third = await next('started')
  assert.deepEqual(third.removed, ['tool wave'])
  assert.match(await greeting(), /three/)
  assert.ok(events.some(({ event, message }) => event === 'wire' && JSON.stringify(message).includes('tools/call')))

  at.write(greeter('four', ".tool('quit', {}, () => process.exit(7))"))
  await next('started')
  await assert.rejects(client.tools.call('quit', {}))
  await next('ended')
  const pids = events.flatMap(({ event, text }) =>
    event === 'stderr' && text?.startsWith('pid ') ? [Number(text.slice(4))] : [],
  )
  process.kill(pid, 'SIGINT')
  const { exit } = await run
  assert.equal(exit, 130)
  assert.ok(pids.length >= 4)
  assert.deepEqual(pids.filter(isAlive), [])
  // the accepted server is in no lock, beside the server or at home
  assert.deepEqual(readdirSync(at.folder), ['server.mjs'])
  assert.deepEqual(
    readdirSync(home).filter((name) => name !== '.cache'),
    [],
  )
  rmSync(home, { recursive: true })
})

test('dev in a terminal: shows the wire and stderr, and Ctrl-C ends it', {
  timeout: 120_000,
  skip: lacking('tmux', hasProgram('tmux')),
}, async () => {
  using at = workshop()
  at.write(greeter('one'))
  await using terminal = await inTerminal(['dev', '--watch', at.folder, ...compiled, '--', process.execPath, at.file])
  await terminal.until(/Serving at http:\/\/127\.0\.0\.1:\d+/)
  await terminal.until(/← .*"tools":\[[\s\S]*greeter runs after \d+ ms, accepted \(dev\): \+ tool greet/)
  at.write(greeter('two'))
  await terminal.until(/server\.mjs has changed[\s\S]*stderr pid \d+[\s\S]*accepted \(dev\): ~ tool greet/)
  await terminal.type('C-c')
  assert.match(await terminal.until(/^exit:/m), /^exit:130$/m)
})

test('dev: what is missing is said', async () => {
  for (const [args, said] of [
    [[], /nothing follows "--"/],
    [['--port', 'x', '--', 'node'], /--port=x/],
    [['--watch', '/no/such/folder', '--', 'node'], /no such file/],
  ] as const) {
    const { exit, stderr } = await runCli(['dev', ...args])
    assert.equal(exit, 1)
    assert.match(stderr, said)
    const json = await runCli(['dev', '--json', ...args])
    assert.match(JSON.parse(json.stderr).error.message, said)
  }
})
