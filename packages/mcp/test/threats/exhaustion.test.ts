/** A process that runs out of files or memory: it turns people away, and is well again when they leave. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { lacking } from '../../../../tools/lib/needs.ts'
import { start } from './children/child.ts'
import { faceAt, openSession, saidIn } from './faces.ts'
import { opening, toolCall } from './messages.ts'
import { RawConnection, rawLetter } from './raw-socket.ts'

const { headers, body } = toolCall('feel')
const call = rawLetter({ headers, body })

/** A connection on which a call was answered. */
async function served(port: number): Promise<RawConnection | undefined> {
  const connection = await RawConnection.to(port)
  connection.write(call)
  if ((await connection.answer())?.status === 200) return connection
  connection.socket.destroy()
  return undefined
}

async function callFrom(inside: readonly RawConnection[]): Promise<void> {
  for (const connection of inside) {
    connection.write(call)
    assert.equal((await connection.answer())?.status, 200)
  }
}

const skip = lacking('posix', process.platform !== 'win32')

test('serveHttp: with no files left, those who are there are served, and others again when there are', {
  skip,
}, async () => {
  await using child = await start('crowd-server.ts', { files: 64 })
  for (let round = 0; round < 3; round++) {
    const inside: RawConnection[] = []
    let outside = 0
    while (outside < 50) {
      const connection = await served(child.port)
      if (connection) inside.push(connection)
      else outside += 1
      assert.ok(inside.length < 64)
      // often enough that none of them is idle for so long that it is closed
      if (connection === undefined && outside % 10 === 0) await callFrom(inside)
    }
    assert.ok(inside.length > 10, `${inside.length}`)
    await callFrom(inside)
    for (const { socket } of inside) socket.destroy()
    let tries = 0
    for (let next = await served(child.port); !next; next = await served(child.port)) assert.ok(tries++ < 1_000)
  }
  assert.deepEqual(child.complaints, [])
})

test('serveHttp: with little memory, neither bodies, sessions nor their events fill it', async () => {
  await using child = await start('crowd-server.ts', { flags: ['--max-old-space-size=64', '--expose-gc'] })
  const face = faceAt(child.url)
  const large = JSON.stringify({ padding: 'x'.repeat(3_000_000) })
  // in the gate they are twice as much as its memory together
  for (let round = 0; round < (isLong ? 60 : 20); round++) {
    assert.equal((await face.send({ headers, body: large })).status, 400)
    assert.equal((await face.send({ headers, body: '['.repeat(4_000_000) })).status, 400)
  }
  await Promise.all(Array.from({ length: 500 }, () => face.send(opening('2025-11-25'))))
  const session = await openSession(face)
  assert.equal((await face.send({ method: 'DELETE', headers: session })).status, 200)
  assert.equal(JSON.parse(saidIn(await face.send(toolCall('feel')))).connections, 500)
  assert.deepEqual(child.complaints, [])
})
