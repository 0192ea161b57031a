import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { lacking } from '../../../../../tools/lib/needs.ts'
import { until } from '../../../../../tools/lib/until.ts'
import { noProc, processes, program } from '../../../test/processes.ts'
import type { serveStdio, stdioServerChannel } from './server.ts'

type Module = { serveStdio: typeof serveStdio; stdioServerChannel: typeof stdioServerChannel }

/** Windows ends a process at once, whatever the signal is. */
const noSignals = { skip: lacking('posix', process.platform !== 'win32') }
const module = new URL('./server.ts', import.meta.url).href

const servers: ChildProcessWithoutNullStreams[] = []
after(() => {
  for (const server of servers) server.kill('SIGKILL')
})

function run(body: (module: string) => unknown, env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const { command, args = [] } = program(body, module)
  const server = spawn(command, args, { env: { ...process.env, ...env } })
  servers.push(server)
  return server
}

const request = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`
const answer = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`

/** Answers each request at once, and has a timer that would keep the process running. */
async function echo(module: string): Promise<void> {
  const { serveStdio }: Module = await import(module)
  setInterval(() => {}, 1_000)
  await serveStdio((channel) =>
    channel.open({
      message: (message) => channel.send({ jsonrpc: '2.0', id: (message as { id: number }).id, result: {} }),
      malformed: (error) => channel.send({ jsonrpc: '2.0', error: { code: error.code, message: error.message } }),
      failed: () => {},
      ended: async () => {},
      closed: () => {},
    }),
  )
}

/** Says that a request arrived, and answers it only when the input has ended. */
async function late(module: string): Promise<void> {
  const { serveStdio }: Module = await import(module)
  setInterval(() => {}, 1_000)
  await serveStdio((channel) =>
    channel.open({
      message: () => channel.send({ jsonrpc: '2.0', method: 'started' }),
      malformed: () => {},
      failed: () => {},
      ended: () =>
        new Promise((resolve) =>
          setTimeout(() => {
            void channel.send({ jsonrpc: '2.0', id: 1, result: {} })
            resolve()
          }, 50),
        ),
      closed: () => {},
    }),
  )
}

/** Says that a request arrived, and never answers it. */
async function never(module: string): Promise<void> {
  const { serveStdio }: Module = await import(module)
  const drainMs = process.env.DRAIN_MS ? Number(process.env.DRAIN_MS) : 100_000
  await serveStdio(
    (channel) =>
      channel.open({
        message: () => channel.send({ jsonrpc: '2.0', method: 'started' }),
        malformed: () => {},
        failed: () => {},
        ended: () => {
          void channel.send({ jsonrpc: '2.0', method: 'ending' })
          return new Promise(() => {})
        },
        closed: () => {},
      }),
    { drainMs },
  )
}

test('serveStdio: answers what was asked, then exits at the end of the input in spite of a timer', async () => {
  const server = run(echo)
  server.stdin.end(request(1) + request(2))
  assert.equal(await text(server.stdout), answer(1) + answer(2))
  assert.deepEqual(await exitOf(server), [0, null])
})

test('serveStdio: a line that is no JSON is answered', async () => {
  const server = run(echo)
  server.stdin.end('hello\n')
  assert.match(
    await text(server.stdout),
    /^{"jsonrpc":"2.0","error":{"code":-32700,"message":"Cannot read JSON: .*"}}\n$/,
  )
})

test('serveStdio: an answer under way at the end of the input still leaves', async () => {
  const server = run(late)
  server.stdin.end(request(1))
  assert.equal(await text(server.stdout), `{"jsonrpc":"2.0","method":"started"}\n${answer(1)}`)
  assert.deepEqual(await exitOf(server), [0, null])
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`serveStdio: an answer under way on ${signal} still leaves`, noSignals, async () => {
    const server = run(late)
    server.stdin.write(request(1))
    const [started] = await once(server.stdout, 'data')
    server.kill(signal)
    assert.equal(started + (await text(server.stdout)), `{"jsonrpc":"2.0","method":"started"}\n${answer(1)}`)
    assert.deepEqual(await exitOf(server), [0, null])
  })
}

test('serveStdio: a second signal is not made to wait', noSignals, async () => {
  const server = run(never)
  server.stdin.write(request(1))
  await once(server.stdout, 'data')
  server.kill('SIGINT')
  await once(server.stdout, 'data')
  server.kill('SIGTERM')
  assert.deepEqual(await exitOf(server), [143, null])
})

test('serveStdio: an answer that never comes does not keep the process running', async () => {
  const server = run(never, { DRAIN_MS: '50' })
  server.stdin.end(request(1))
  server.stdout.resume()
  assert.deepEqual(await exitOf(server), [0, null])
})

test('serveStdio: a large last answer leaves as a whole', async () => {
  const server = run(async (module) => {
    const { serveStdio }: Module = await import(module)
    await serveStdio((channel) =>
      channel.open({
        message: () => channel.send({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(5_000_000) } }),
        malformed: () => {},
        failed: () => {},
        ended: async () => {},
        closed: () => {},
      }),
    )
  })
  server.stdin.end(request(1))
  const { result } = JSON.parse(await text(server.stdout))
  assert.equal(result.text.length, 5_000_000)
})

test('serveStdio: while the answers are not read no more requests are served, and later none is lost', async () => {
  const server = run(async (module) => {
    const { serveStdio }: Module = await import(module)
    await serveStdio(
      (channel) =>
        channel.open({
          message: (message) => {
            const { id } = message as { id: number }
            console.error('served')
            void channel.send({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(400_000) } })
          },
          malformed: () => {},
          failed: () => {},
          ended: async () => {},
          closed: () => {},
        }),
      { limits: { maxQueuedChars: 1_000_000 } },
    )
  })
  let [served, before] = [0, -1]
  server.stderr.on('data', (words) => {
    served += String(words).split('served').length - 1
  })
  // so large that few of them are on the way at the same time
  for (let id = 1; id <= 40; id++) server.stdin.write(request(id).replace('ping', `ping${' '.repeat(100_000)}`))
  await until(() => {
    const isStill = served === before && served > 0
    before = served
    return isStill
  }, 'the server to stop reading')
  assert.ok(served < 40, `${served} requests were served`)
  server.stdin.end()
  const answers = (await text(server.stdout)).split('\n').slice(0, -1)
  assert.deepEqual(
    answers.map((line) => JSON.parse(line).id),
    Array.from({ length: 40 }, (_, at) => at + 1),
  )
})

test('serveStdio: whatever else the program prints goes to stderr', async () => {
  const server = run(async (module) => {
    const { serveStdio }: Module = await import(module)
    await serveStdio((channel) =>
      channel.open({
        message: () => {
          console.log('logged')
          process.stdout.write('written\n')
          void channel.send({ jsonrpc: '2.0', id: 1, result: {} })
          console.info('told')
        },
        malformed: () => {},
        failed: () => {},
        ended: async () => {},
        closed: () => {},
      }),
    )
  })
  server.stdin.end(request(1))
  const [stdout, stderr] = await Promise.all([text(server.stdout), text(server.stderr)])
  assert.equal(stdout, answer(1))
  assert.equal(stderr, 'logged\nwritten\ntold\n')
})

test('stdioServerChannel: once closed, stdout belongs to the program again', async () => {
  const server = run(async (module) => {
    const { stdioServerChannel }: Module = await import(module)
    const channel = stdioServerChannel()
    console.log('before')
    await channel.close()
    console.log('after')
  })
  const [stdout, stderr] = await Promise.all([text(server.stdout), text(server.stderr)])
  assert.deepEqual([stdout, stderr], ['after\n', 'before\n'])
})

test('serveStdio: exits when the client takes no more answers', async () => {
  const server = run(echo)
  server.stdout.destroy()
  server.stdin.write(request(1))
  server.stdin.on('error', () => {})
  assert.deepEqual(await exitOf(server), [0, null])
})

test('serveStdio: exits when its parent dies, though its input stays open', { skip: noProc }, async () => {
  const { command, args = [] } = program(echo, module)
  const script = `{ printf '%s' '${request(1)}'; exec sleep 1000; } | "$0" "$@"`
  const parent = spawn('sh', ['-c', script, command, ...args], { detached: true })
  const group = parent.pid as number
  const left = (): number => processes().filter((entry) => entry.group === group).length
  await once(parent.stdout, 'data')
  parent.kill('SIGKILL')
  await until(() => left() === 1, 'all but the writer of the input to end')
  process.kill(-group, 'SIGKILL')
  await until(() => left() === 0, 'the writer to end')
})

test('serveStdio: reads on while its answers are not taken', async () => {
  const server = run(echo)
  const count = 200_000
  // far more than the pipes can hold, each way
  for (let id = 0; id < count; id += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, offset) => request(id + offset)).join('')
    await new Promise((resolve) => server.stdin.write(lines, resolve))
  }
  server.stdin.end()
  const lines = (await text(server.stdout)).trimEnd().split('\n')
  assert.equal(lines.length, count)
  assert.equal(`${lines.at(-1)}\n`, answer(count - 1))
})

async function exitOf(server: ChildProcessWithoutNullStreams): Promise<unknown[]> {
  return server.exitCode === null && server.signalCode === null
    ? once(server, 'exit')
    : [server.exitCode, server.signalCode]
}
