/** However a server fails to answer while a connection is opened, the caller hears of it in time and nothing is left. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type ConnectOptions, connect, McpError } from '@trunkline/mcp'
import { spawnChannel } from '@trunkline/mcp/stdio'
import { gate } from '../gate.ts'
import '../no-leaks.ts'
import { until } from '../../../../tools/lib/until.ts'
import { program } from '../processes.ts'
import { type Answering, error, json, plain, result, type Seen, scripted } from '../scripted-http.ts'
import { soon } from '../soon.ts'

const older = '2025-11-25'
const newest = '2026-07-28'

const agreed = (seen: Seen) =>
  result(seen, {
    protocolVersion: older,
    capabilities: { logging: {} },
    serverInfo: { name: 'old', version: '1' },
  })

/** A server that answers a handshake, but for what `silent` says. */
const old =
  (silent: string): Answering =>
  (seen, response) => {
    const { method, id } = seen.body
    if (method === silent || seen.method === 'GET') return
    if (seen.method === 'DELETE') plain(response, 200)
    else if (method === 'server/discover') json(response, error(seen, -32601), 404)
    else if (method === 'initialize') json(response, agreed(seen), 200, { 'mcp-session-id': 'one' })
    else if (id === undefined) plain(response, 202)
    else json(response, result(seen, {}))
  }

const unanswered = (method: string, ms: number) => ({
  code: 'Timeout',
  outcome: 'NotSent',
  message: `Cannot connect: no answer to "${method}" in ${ms} ms`,
})

for (const [silent, options] of [
  ['server/discover', { revisions: [newest] }],
  ['initialize', {}],
  ['initialize', { revisions: [older] }],
  ['notifications/initialized', {}],
  ['notifications/initialized', { revisions: [older] }],
] as const) {
  for (const limit of ['timeoutMs', 'maxTotalMs'] as const) {
    test(`connect: ${limit} ends it when "${silent}" is not answered, ${JSON.stringify(options)}`, async () => {
      await using server = await scripted(old(silent))
      const opening = connect(new URL(server.url), { ...options, [limit]: 150 })
      await assert.rejects(soon(opening, 'the end of connecting'), unanswered(silent, 150))
      for (const { whenGone } of server.seen) await soon(whenGone, 'the end of a request')
    })
  }
}

test('connect: the level of logging is part of opening, and what was open is closed', async () => {
  await using server = await scripted(old('logging/setLevel'))
  const opening = connect(new URL(server.url), { timeoutMs: 150, onLog: () => {} })
  await assert.rejects(opening, { code: 'Timeout' })
  await server.request(({ method }) => method === 'DELETE')
})

test('connect: a server that refuses the level of logging is left', async () => {
  const answering = old('')
  await using server = await scripted((seen, response) => {
    if (seen.body.method === 'logging/setLevel') json(response, error(seen, -32602))
    else answering(seen, response)
  })
  await assert.rejects(connect(new URL(server.url), { onLog: () => {} }), { code: -32602 })
  await server.request(({ method }) => method === 'DELETE')
})

test('connect: a server that is silent about the new question has its time for the old one', async () => {
  await using server = await scripted(old('server/discover'))
  await using client = await connect(new URL(server.url), { timeoutMs: 2_000 })
  assert.equal(client.revision, older)
})

test('connect: a question has no time limit but that of the connection', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { promise: isAsked, open: asked } = gate<() => void>()
  await using server = await scripted((seen, response) => {
    if (seen.body.method === 'initialize') asked(() => json(response, agreed(seen)))
    else plain(response, 202)
  })
  const opening = connect(new URL(server.url), { timeoutMs: 3_600_000, maxTotalMs: 7_200_000, revisions: [older] })
  const answer = await isAsked
  t.mock.timers.tick(900_000)
  answer()
  await using client = await opening
  assert.equal(client.revision, older)
  t.mock.timers.reset()
})

test('connect: a server that asks for a sign-in has its time, and the user has more', async () => {
  let isIn = false
  const answering = old('')
  await using server = await scripted((seen, response) => (isIn ? answering(seen, response) : plain(response, 401)))
  const auth: ConnectOptions['auth'] = {
    authorize: async () => ({}),
    challenged: async () => {
      await wait(1_500)
      isIn = true
      return true
    },
  }
  await using client = await connect(new URL(server.url), { auth, timeoutMs: 1_000, revisions: [older] })
  assert.equal(client.revision, older)
})

test('connect: a user who never signs in is waited for until the total time is up', async () => {
  await using server = await scripted((_, response) => plain(response, 401))
  const { promise: isStopped, open: stopped } = gate<unknown>()
  const auth: ConnectOptions['auth'] = {
    authorize: async () => ({}),
    challenged: (_, signal) =>
      new Promise((_, reject) =>
        signal?.addEventListener('abort', () => {
          stopped(signal.reason)
          reject(signal.reason)
        }),
      ),
  }
  const opening = connect(new URL(server.url), { auth, timeoutMs: 100, maxTotalMs: 400 })
  await assert.rejects(opening, { code: 'Timeout', message: /in 400 ms$/ })
  assert.ok((await isStopped) instanceof McpError)
})

const enough = new Error('enough')

test('connect: with an aborted signal it does not dial', async () => {
  let dialed = 0
  const dial = () => {
    dialed += 1
    throw new Error('must not be reached')
  }
  await assert.rejects(connect(dial, { signal: AbortSignal.abort(enough) }), enough)
  assert.equal(dialed, 0)
})

for (const silent of ['server/discover', 'initialize', 'notifications/initialized']) {
  test(`connect: a caller calls it off while "${silent}" waits for its answer`, async () => {
    await using server = await scripted(old(silent))
    const caller = new AbortController()
    const opening = connect(new URL(server.url), { signal: caller.signal })
    const stuck = await server.request(({ body }) => body.method === silent)
    caller.abort(enough)
    await assert.rejects(opening, enough)
    await stuck.whenGone
  })
}

test('connect: a channel that comes after the time is up is closed', async () => {
  const { promise: channel, open: arrive } = gate<ReturnType<typeof spawnChannel>>()
  await assert.rejects(
    connect(() => channel, { timeoutMs: 50 }),
    { code: 'Timeout', message: 'Cannot connect: no answer in 50 ms' },
  )
  const late = spawnChannel({ command: 'cat' })
  arrive(late)
  await late.exited
})

test('connect: an open connection does not mind the signal', async () => {
  await using server = await scripted(old(''))
  const caller = new AbortController()
  await using client = await connect(new URL(server.url), { signal: caller.signal, revisions: [older] })
  caller.abort(enough)
  await client.ping()
})

const folder = mkdtempSync(join(tmpdir(), 'deadline-'))
after(() => rmSync(folder, { recursive: true }))
let started = 0

/** Starts a program, which gets the path of a file to write once it has done what it does first, and waits for that. */
async function running(body: (ready: string) => unknown): Promise<ReturnType<typeof spawnChannel>> {
  const ready = join(folder, `${started++}`)
  const channel = spawnChannel(program(body, ready))
  await until(() => existsSync(ready), 'the program to be ready')
  return channel
}

/** Programs that never answer, and what of their output is quoted. */
const mute: readonly (readonly [what: string, body: (ready: string) => unknown, quote: string])[] = [
  [
    'says nothing at all',
    (ready) => {
      process.stdin.resume()
      process.getBuiltinModule('node:fs').writeFileSync(ready, '')
    },
    '',
  ],
  [
    'complains on stderr',
    (ready) => {
      process.stderr.write('no API key\n')
      process.stdin.resume()
      process.getBuiltinModule('node:fs').writeFileSync(ready, '')
    },
    ', after the program wrote to stderr:\nno API key',
  ],
  [
    'writes to stdout what is no message',
    (ready) => {
      process.stdout.write('Listening on port 80\nOk to proceed? (y) ')
      process.stdin.resume()
      process.getBuiltinModule('node:fs').writeFileSync(ready, '')
    },
    ', after the program wrote to stdout:\nListening on port 80\nOk to proceed? (y)',
  ],
  [
    'talks on both',
    (ready) => {
      process.stderr.write('warning: old\n')
      process.stdout.write('hello\n')
      process.stdin.resume()
      process.getBuiltinModule('node:fs').writeFileSync(ready, '')
    },
    ', after the program wrote to stderr:\nwarning: old\nand to stdout:\nhello',
  ],
]

for (const [what, body, quote] of mute) {
  test(`connect: a program that ${what} is quoted in the error, and ended`, async () => {
    const channel = await running(body)
    const limitMs = 1_000
    await assert.rejects(
      connect(() => channel, { revisions: [newest], timeoutMs: limitMs }),
      {
        code: 'Timeout',
        outcome: 'NotSent',
        message: `Cannot connect: no answer to "server/discover" in ${limitMs} ms${quote}`,
      },
    )
    await channel.exited
  })
}

test('connect: a program that ends is quoted as well, by all that it wrote', async () => {
  const target = program(() => {
    process.stdout.write('usage: server [options]\n')
    process.stderr.write('unknown option\n')
    process.exitCode = 2
  })
  for (const revisions of [[newest], [older], [newest, older]]) {
    await assert.rejects(connect(target, { revisions, onWarning: () => {} }), {
      code: 'Closed',
      message:
        'Server "node" exited with code 2, after writing to stderr:\nunknown option\nand to stdout:\nusage: server [options]',
    })
  }
})

test('connect: a caller calls off the start of a program, which is ended', async () => {
  const caller = new AbortController()
  const { promise: started, open: start } = gate<ReturnType<typeof spawnChannel>>()
  const dial = () => {
    const channel = spawnChannel(program(() => process.stdin.resume()))
    start(channel)
    return channel
  }
  const opening = connect(dial, { signal: caller.signal })
  const { exited } = await started
  caller.abort(enough)
  await assert.rejects(opening, enough)
  await exited
})

test('connect: a program that died of the question and is silent when started again has one deadline for both', async () => {
  let dialed = 0
  const dies = await running((ready) => {
    process.stdin.once('data', () => process.exit(1))
    process.getBuiltinModule('node:fs').writeFileSync(ready, '')
  })
  const silent = program(() => process.stdin.resume())
  const dial = () => (dialed++ === 0 ? dies : spawnChannel(silent))
  await assert.rejects(connect(dial, { timeoutMs: 3_000 }), unanswered('initialize', 3_000))
  assert.equal(dialed, 2)
})
