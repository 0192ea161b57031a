import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { lacking } from '../../../../../tools/lib/needs.ts'
import { pidsIn } from './lsof.ts'
import { processesAt, socketTo } from './socket-processes.ts'

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:104D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1001 1 0 100 0 0 10 0
   1: 0100007F:C350 0100007F:104D 01 00000000:00000000 00:00000000 00000000  1000        0 1002 1 0 20 4 30 10 -1
   2: 0100007F:104D 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 1003 1 0 20 4 30 10 -1
   3: 0100007F:C351 0100007F:104D 06 00000000:00000000 00:00000000 00000000  1000        0 0 1 0 20 4 30 10 -1
`

test('socketTo: the other end of one connection, not this end and not another connection', () => {
  assert.equal(socketTo({ localPort: 0x104d, remotePort: 0xc350 }, table), '1002')
  assert.equal(socketTo({ localPort: 0x104d, remotePort: 0xc352 }, table), undefined)
})

test('socketTo: none where the other end is closed', () => {
  assert.equal(socketTo({ localPort: 0x104d, remotePort: 0xc351 }, table), undefined)
})

test('pidsIn: the processes whose connection has this end', () => {
  const fields = ['p10', 'f3', 'n127.0.0.1:4173->127.0.0.1:50000', 'p11', 'f9', 'n127.0.0.1:50000->127.0.0.1:4173', '']
  assert.deepEqual(pidsIn(fields.join('\n'), { from: 50_000, to: 4173 }), [11])
})

test('processesAt: connections that arrive together and one after the other are each found, and a closed one is gone', {
  skip: lacking('linux', process.platform === 'linux'),
}, async (t) => {
  const accepted: Socket[] = []
  const server = createServer((socket) => accepted.push(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const dial = async () => {
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    return { localPort: port, remotePort: (socket.address() as AddressInfo).port }
  }
  const ends = await Promise.all(Array.from({ length: 20 }, dial))
  const here = { is: 'seen', pids: [process.pid] }
  assert.deepEqual(
    await Promise.all(ends.map((one) => processesAt(one, [process.pid]))),
    ends.map(() => here),
  )
  for (const one of ends.slice(0, 3)) assert.deepEqual(await processesAt(one), here)
  assert.deepEqual(await processesAt({ localPort: port, remotePort: 1 }), { is: 'gone' })
})

/** Connections that keep arriving leave four fifths of the time to other work, and wait no longer than this. */
const pauses = [
  { tookMs: 10, pauseMs: 40 },
  { tookMs: 1_000, pauseMs: 50 },
]
for (const [index, { tookMs, pauseMs }] of pauses.entries()) {
  test(`processesAt: after a reading of ${tookMs} ms the next one begins ${pauseMs} ms later`, {
    skip: lacking('linux', process.platform === 'linux'),
  }, async ({ mock }) => {
    const asked = (index + 1) * 1e9
    const over = asked + tookMs
    // asked for, begun, over, asked for again
    const times = [asked, asked, over, over]
    mock.method(performance, 'now', () => times.shift() ?? 0)
    mock.timers.enable({ apis: ['setTimeout'] })
    const closed = { localPort: 1, remotePort: 1 }
    assert.deepEqual(await processesAt(closed), { is: 'gone' })
    let isFound = false
    void processesAt(closed).then(() => {
      isFound = true
    })
    for (const ms of [pauseMs - 1, 1]) {
      assert.equal(isFound, false)
      mock.timers.tick(ms)
      for (let turn = 0; turn < 5; turn++) await setImmediate()
    }
    assert.equal(isFound, true)
  })
}
