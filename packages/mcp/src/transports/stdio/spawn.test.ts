import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../../../../tools/lib/until.ts'
import { noProc, program } from '../../../test/processes.ts'
import { Recorder } from '../../../test/recorder.ts'
import { McpError } from '../../wire/errors.ts'
import type { Fields, Message, NotificationMessage, SuccessMessage } from '../../wire/messages.ts'
import { type ChildChannel, type SpawnOptions, spawnChannel } from './spawn.ts'
import type { SpawnTarget } from './spawn-target.ts'

/** Answers each request with its own params, as a server does that knows nothing of this library. */
function echo(): void {
  const { createInterface } = process.getBuiltinModule('node:readline')
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, params } = JSON.parse(line)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: params ?? {} })}\n`)
  })
}

interface Opened extends AsyncDisposable {
  readonly channel: ChildChannel
  readonly receiver: Recorder
}

function opened(target: SpawnTarget, options?: SpawnOptions): Opened {
  const channel = spawnChannel(target, options)
  const receiver = new Recorder()
  channel.open(receiver)
  return { channel, receiver, [Symbol.asyncDispose]: () => channel.close() }
}

const request = (id: number, params: Fields = {}): Message => ({ jsonrpc: '2.0', id, method: 'echo', params })
const isMcpError = (code: string, outcome: string, message: RegExp) => (error: unknown) =>
  error instanceof McpError && error.code === code && error.outcome === outcome && message.test(error.message)

test('spawnChannel: talks to a program, which exits by itself when the channel closes', async () => {
  await using both = opened(program(echo))
  await both.channel.send(request(0, { text: 'é😀' }))
  assert.deepEqual(await both.receiver.received(1), [{ jsonrpc: '2.0', id: 0, result: { text: 'é😀' } }])
  await both.channel.close()
  assert.deepEqual(await both.channel.exited, { code: 0, signal: null })
  assert.deepEqual(both.receiver.reasons, [undefined])
})

test('spawnChannel: the program sees the listed variables and what was configured, and nothing else', async () => {
  const target = program(() => {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'env', params: { ...process.env } })}\n`)
  })
  process.env.SPAWN_TEST_SECRET = 'secret'
  await using both = opened({ ...target, env: { CONFIGURED: 'yes' } })
  const { params = {} } = (await both.receiver.received(1))[0] as NotificationMessage
  delete process.env.SPAWN_TEST_SECRET
  const allowed = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER', 'CONFIGURED']
  if (process.platform !== 'win32') {
    assert.deepEqual(
      Object.keys(params).filter((name) => !allowed.includes(name)),
      [],
    )
  }
  assert.equal(params.CONFIGURED, 'yes')
  assert.equal(params.SPAWN_TEST_SECRET, undefined)
})

test('spawnChannel: arguments are handed over literally, in the given directory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spawn-'))
  const target = program(() => {
    const params = { args: process.argv.slice(1), cwd: process.cwd() }
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'args', params })}\n`)
  })
  const args = ['; touch pwned', '$(touch pwned)', '`touch pwned`', '| touch pwned', '"', "'", '*', '']
  await using both = opened({ ...target, args: [...(target.args ?? []), ...args], cwd: folder })
  const { params = {} } = (await both.receiver.received(1))[0] as NotificationMessage
  assert.deepEqual(params, { args, cwd: realpathSync(folder) })
  assert.equal(existsSync(join(folder, 'pwned')), false)
  await both.channel.close()
  rmSync(folder, { recursive: true })
})

test('spawnChannel: a program that does not exist is named, and nothing was sent', async () => {
  await using both = opened({ command: 'no-such-program-anywhere' })
  const failure = isMcpError(
    'Spawn',
    'NotSent',
    /^Cannot start "no-such-program-anywhere": no such program; install it/,
  )
  assert.ok(failure(await both.receiver.whenClosed()))
  await assert.rejects(async () => both.channel.send(request(1)), isMcpError('NotSent', 'NotSent', /closed/))
  assert.deepEqual(await both.channel.exited, { code: null, signal: null })
  assert.equal(both.channel.pid, undefined)
})

test('spawnChannel: a file that cannot be executed is named, and so is the way out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spawn-'))
  const command = join(folder, 'server.txt')
  writeFileSync(command, 'text')
  await using both = opened({ command })
  assert.ok(isMcpError('Spawn', 'NotSent', /make it executable/)(await both.receiver.whenClosed()))
  rmSync(folder, { recursive: true })
})

test('spawnChannel: a directory that does not exist is named', async () => {
  await using both = opened({ ...program(echo), cwd: '/no/such/place' })
  assert.ok(isMcpError('Spawn', 'NotSent', /no directory "\/no\/such\/place"/)(await both.receiver.whenClosed()))
})

test('spawnChannel: a command that the system refuses at once is the same kind of error', () => {
  assert.throws(
    () => spawnChannel({ command: 'x'.repeat(1_000_000) }),
    isMcpError('Spawn', 'NotSent', /ENAMETOOLONG|E2BIG/),
  )
})

test('spawnChannel: invalid options are refused before anything starts', () => {
  assert.throws(() => spawnChannel({ command: 'a\nb' }), /line break/)
  assert.throws(() => spawnChannel(program(echo), { graceMs: Number.NaN }), /graceMs/)
})

test('spawnChannel: an exit between request and answer is told with its code and the last of stderr', async () => {
  const target = program(() => {
    process.stdin.once('data', () => {
      process.stderr.write('cannot open the database\n', () => process.exit(3))
    })
  })
  await using both = opened(target)
  await both.channel.send(request(1))
  const reason = await both.receiver.whenClosed()
  assert.ok(
    isMcpError('Closed', 'Unknown', /^Server "node" exited with code 3, after writing to stderr:\ncannot open/)(reason),
  )
  assert.deepEqual(await both.channel.exited, { code: 3, signal: null })
})

test('spawnChannel: a script that is missing is named, without the stack trace of its interpreter', async () => {
  await using both = opened({ command: process.execPath, args: ['/no/such/script.js'] })
  const reason = await both.receiver.whenClosed()
  assert.equal(
    (reason as Error).message,
    'Server "node" exited with code 1: there is no file "/no/such/script.js"; correct the path, or create it',
  )
})

test('spawnChannel: an answer written just before the exit is delivered before the end', async () => {
  const target = program(() => {
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(1_000_000) } })}\n`,
      () => process.exit(0),
    )
  })
  await using both = opened(target)
  const reason = await both.receiver.whenClosed()
  assert.equal(both.receiver.messages.length, 1)
  assert.equal(reason?.message, 'Server "node" exited with code 0')
})

test('spawnChannel: the signal that ended the program is told', async () => {
  await using both = opened(program(() => process.kill(process.pid, 'SIGKILL')))
  assert.equal((await both.receiver.whenClosed())?.message, 'Server "node" was ended by SIGKILL')
})

test('spawnChannel: a program that closes its stdout and stays is ended', async () => {
  const target = program(() => {
    process.getBuiltinModule('node:fs').closeSync(1)
    setInterval(() => {}, 1_000)
  })
  await using both = opened(target, { graceMs: 50 })
  assert.equal((await both.receiver.whenClosed())?.message, 'Server "node" closed its stdout')
  await both.channel.close()
  assert.equal((await both.channel.exited).signal, 'SIGTERM')
})

test('spawnChannel: of a flood on stderr the last is kept, and answers pass', async () => {
  const target = program(() => {
    for (let line = 0; line < 200_000; line++)
      process.stderr.write(`line ${line} of a very long and quite boring log\n`)
    process.stderr.write('', () => process.stdout.write('{"jsonrpc":"2.0","method":"done"}\n'))
    process.stdin.resume()
  })
  let heard = 0
  await using both = opened(target, {
    limits: { maxStderrChars: 1_000 },
    onStderr: (text) => {
      heard += text.length
    },
  })
  await both.receiver.received(1)
  await both.channel.close()
  assert.equal(both.channel.stderr().length, 1_000)
  assert.match(both.channel.stderr(), /line 199999 of a very long and quite boring log\n$/)
  assert.ok(heard > 200_000 * 40)
})

test('spawnChannel: stderr is text even when a character is split', async () => {
  const target = program(() => {
    const bytes = [...Buffer.from('é😀\n')]
    const next = (): void => {
      const byte = bytes.shift()
      if (byte !== undefined) process.stderr.write(Buffer.from([byte]), () => setImmediate(next))
    }
    next()
  })
  await using both = opened(target)
  await both.receiver.whenClosed()
  assert.equal(both.channel.stderr(), 'é😀\n')
})

test('spawnChannel: noise on stdout is reported, and messages pass', async () => {
  const target = program(() => {
    process.stdout.write(
      'Server ready!\r\n\r\n{"jsonrpc":"2.0","method":"one"}\r\nmore noise\n{"jsonrpc":"2.0","method":"two"}\n',
    )
  })
  const noise: string[] = []
  await using both = opened(target, { onNoise: (line) => noise.push(line) })
  await both.receiver.received(2)
  assert.deepEqual(noise, ['Server ready!', 'more noise'])
})

test('spawnChannel: messages that come byte by byte are put together', async () => {
  const target = program(() => {
    const bytes = [...Buffer.from('{"jsonrpc":"2.0","method":"é😀"}\n')]
    const next = (): void => {
      const byte = bytes.shift()
      if (byte !== undefined) process.stdout.write(Buffer.from([byte]), () => setImmediate(next))
    }
    next()
  })
  await using both = opened(target)
  assert.deepEqual(await both.receiver.received(1), [{ jsonrpc: '2.0', method: 'é😀' }])
})

test('spawnChannel: a message of nearly 10 MiB goes there and back', async () => {
  await using both = opened(program(echo))
  const text = 'x'.repeat(10 * 1024 * 1024 - 1_000)
  await both.channel.send(request(1, { text }))
  const { result } = (await both.receiver.received(1))[0] as SuccessMessage
  assert.equal(result.text, text)
})

test('spawnChannel: an answer beyond the limit is too large, by its id, and the next one passes', async () => {
  await using both = opened(program(echo), { limits: { maxMessageBytes: 10_000 } })
  void both.channel.send(request(1, { text: 'x'.repeat(20_000) }))
  void both.channel.send(request(2))
  await both.receiver.received(1)
  assert.deepEqual(
    both.receiver.failures.map(({ id, reason }) => [id, (reason as McpError).code, reason.message]),
    [[1, 'TooLarge', 'Cannot read an answer: it is larger than the 10000 bytes of "limits.maxMessageBytes"']],
  )
})

test('spawnChannel: senders wait while the program is stopped, and go on when it does', { skip: noProc }, async () => {
  await using both = opened(program(echo))
  void both.channel.send(request(0))
  await both.receiver.received(1)
  process.kill(both.channel.pid as number, 'SIGSTOP')
  let sent = 0
  let waiting: Promise<void> | undefined
  do {
    waiting = both.channel.send(request(++sent, { text: 'x'.repeat(10_000) }))
  } while (!(await isStuck(waiting)))
  process.kill(both.channel.pid as number, 'SIGCONT')
  await waiting
  assert.equal((await both.receiver.received(sent + 1)).length, sent + 1)
})

/** True if a promise is still open after more turns than it takes to write what the pipe has room for. */
async function isStuck(promise: Promise<void> | undefined): Promise<boolean> {
  let open = promise !== undefined
  void promise?.then(() => {
    open = false
  })
  for (let turn = 0; open && turn < 20; turn++) await new Promise(setImmediate)
  return open
}

test('spawnChannel: both sides can send more than the pipes hold before either has read', async () => {
  const target = program(() => {
    const text = 'y'.repeat(10_000)
    for (let id = 0; id < 1_000; id++)
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'out', params: { text } })}\n`)
    let received = 0
    process.stdin.on('data', (chunk) => {
      received += chunk.length
      if (received > 10_000_000 && received - chunk.length <= 10_000_000)
        process.stdout.write('{"jsonrpc":"2.0","method":"done"}\n')
    })
  })
  await using both = opened(target)
  for (let id = 0; id < 1_000; id++) void both.channel.send(request(id, { text: 'x'.repeat(10_000) }))
  assert.equal((await both.receiver.received(1_001)).length, 1_001)
})

test('spawnChannel: a message to a program that has closed its stdin was not sent', async () => {
  const target = program(() => {
    process.stdin.destroy()
    process.getBuiltinModule('node:fs').closeSync(0)
    setInterval(() => {}, 1_000)
    process.stdout.write('{"jsonrpc":"2.0","method":"ready"}\n')
  })
  await using both = opened(target, { graceMs: 50 })
  await both.receiver.received(1)
  const notSent = isMcpError('NotSent', 'NotSent', /./)
  await assert.rejects(async () => {
    for (;;) {
      await both.channel.send(request(1))
      await new Promise(setImmediate)
    }
  }, notSent)
})

test('spawnChannel: leaves no descriptors behind', { skip: noProc }, async () => {
  const cycle = async (): Promise<void> => {
    await using both = opened({ command: 'cat' })
    void both.channel.send(request(1))
    await both.receiver.received(1)
  }
  await cycle()
  const descriptors = (): number => readdirSync('/proc/self/fd').length
  const before = descriptors()
  for (let round = 0; round < 20; round++) await cycle()
  // the supervisor of the last cycle ends on its own time
  await until(() => descriptors() <= before, 'all descriptors to be closed')
})
