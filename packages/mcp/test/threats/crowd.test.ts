/** All that one process is said to carry, at once: those who listen and sessions, each with its stream. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { lacking } from '../../../../tools/lib/needs.ts'
import { start } from './children/child.ts'
import { faceAt, saidIn } from './faces.ts'
import { listen, opening, toolCall, within } from './messages.ts'
import { RawConnection, rawLetter, rawRequest, sendRaw } from './raw-socket.ts'

// the long form has as many listeners as there may be by default
const listens = isLong ? 5_000 : 1_000
const sessions = isLong ? 2_000 : 400
const files =
  process.platform === 'win32'
    ? 0
    : Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).replace('unlimited', '1000000'))
const skip = lacking('files', files > listens + sessions + 500)

/** Makes so many of something, not all at the same time. */
async function many<Made>(count: number, make: (at: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  while (made.length < count) {
    const some = Array.from({ length: Math.min(100, count - made.length) }, (_, at) => make(made.length + at))
    made.push(...(await Promise.all(some)))
  }
  return made
}

async function listener(port: number, id: number): Promise<RawConnection> {
  const connection = await RawConnection.to(port)
  connection.write(rawLetter(listen(id)))
  await connection.until(/subscriptions\/acknowledged/)
  return connection
}

/** A session all of whose requests, and then its stream, go over one connection. */
async function session(port: number): Promise<RawConnection> {
  const connection = await RawConnection.to(port)
  connection.write(rawLetter(opening('2025-11-25')))
  const id = (await connection.answer())?.headers.get('mcp-session-id') ?? ''
  connection.write(rawLetter(within({ 'mcp-session-id': id }, { method: 'notifications/initialized' })))
  await connection.answer()
  connection.write(rawRequest('GET', '/mcp', ['Host: localhost', 'Accept: text/event-stream', `Mcp-Session-Id: ${id}`]))
  await connection.until(/^id: /m)
  return connection
}

test(`serveHttp: ${listens} listeners and ${sessions} sessions at once`, { skip }, async (t) => {
  await using child = await start('crowd-server.ts', { flags: ['--expose-gc'], args: isLong ? [] : [`${listens}`] })
  const face = faceAt(child.url)
  const feel = async () => JSON.parse(saidIn(await face.send(toolCall('feel'))))
  // what is made once, for the first of each kind, is not the price of the next
  for (const connection of await many(100, (at) => listener(child.port, at))) connection.socket.destroy()
  for (const connection of await many(1, () => session(child.port))) connection.socket.destroy()
  await eventually(async () => (await feel()).watchers <= 1)
  const empty = await feel()

  const listening = await many(listens, (at) => listener(child.port, at))
  const full = await feel()
  const talking = await many(sessions, () => session(child.port))
  const crowded = await feel()
  const perListen = (full.bytes - empty.bytes) / listens
  const perSession = (crowded.bytes - full.bytes) / sessions
  t.diagnostic(`${Math.round(perListen)} bytes of heap for each listener, ${Math.round(perSession)} for each session`)
  t.diagnostic(`${Math.round(crowded.rss / 1_048_576)} MiB resident with all of them`)
  assert.equal(crowded.watchers - empty.watchers, listens + sessions)

  const late = await sendRaw(child.port, rawLetter(listen()))
  assert.equal(late?.status, 503)
  assert.match(late.headers.get('retry-after') ?? '', /^\d+$/)
  await face.send(toolCall('change'))
  for (const connection of [...listening, ...talking]) await connection.until(/list_changed/)
  assert.ok([...listening, ...talking].every(({ received }) => received.match(/list_changed"/g)?.length === 1))

  for (const connection of [...listening, ...talking]) connection.socket.destroy()
  await eventually(async () => (await feel()).watchers <= empty.watchers + sessions)
  const left = await feel()
  t.diagnostic(`${Math.round((left.bytes - empty.bytes) / sessions)} bytes of heap for each session without its stream`)
  assert.ok(perListen < 16_384 && perSession < 24_576, `${perListen}, ${perSession}`)
  assert.ok(left.bytes - empty.bytes < (perSession + 1_024) * sessions)
})

/** Asks again and again until something holds. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) assert.ok(tries < 1_000, 'waited in vain')
}
